import type { Output } from '@sortie/client/calls.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'

export type SignInMode = Output<'getSignInMode'>['data']

/** Sign-in mode of this server: constant while it runs. */
export const signInModeQuery = () => ({ ...query(null, 'getSignInMode'), staleTime: Infinity })

export const useSignInMode = (): SignInMode => useSuspenseQuery(signInModeQuery()).data.data
