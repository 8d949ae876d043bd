import type { Output } from '@sortie/client/calls.ts'
import type { QueryClient } from '@tanstack/react-query'
import { useSuspenseQuery } from '@tanstack/react-query'
import { call, query } from '../api.ts'

export type Account = Output<'getAccount'>['data']

/** The signed-in person; 401 when nobody is. */
export const accountQuery = () => ({ ...query(null, 'getAccount'), staleTime: 60_000 })

/** The organizations of the signed-in person, with the role in each. */
export const organizationsQuery = () => ({ ...query(null, 'listOwnOrganizations'), staleTime: 60_000 })

export const useAccount = (): Account => useSuspenseQuery(accountQuery()).data.data

/** Ends the session here and on the server. Every cached answer goes with it: the page is loaded anew. */
export const signOut = async (cache: QueryClient, goTo: string): Promise<void> => {
  await call(null, 'signOut', undefined, { retries: 0 })
  cache.clear()
  window.location.assign(goTo)
}
