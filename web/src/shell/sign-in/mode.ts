import type { Output } from '@sortie/client/calls.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { query } from '../../api.ts'

export type SignInMode = Output<'getSignInMode'>['data']

/** How people sign in to this server: it does not change while it runs. */
export const signInModeQuery = () => ({ ...query(null, 'getSignInMode'), staleTime: Infinity })

export const useSignInMode = (): SignInMode => useSuspenseQuery(signInModeQuery()).data.data
