import type { Output } from '@sortie/client/calls.ts'
import type { QueryClient } from '@tanstack/react-query'
import { useSuspenseQuery } from '@tanstack/react-query'
import { call, query } from '../api.ts'

export type Account = Output<'getAccount'>['data']

/** The signed-in person; 401 when nobody is. */
export const accountQuery = () => ({ ...query(null, 'getAccount'), staleTime: 60_000 })

/** The organizations of the signed-in person, with the role in each. */
export const organizationsQuery = () => ({ ...query(null, 'listOwnOrganizations'), staleTime: 60_000 })

/** Who the signed-in person is at the identity provider, and how this session proves itself. */
export const identityQuery = () => query(null, 'getIdentity')

export const useAccount = (): Account => useSuspenseQuery(accountQuery()).data.data

/** Ends the session here, on the server and at the identity provider, which leads back to the sign-in page. Every cached answer goes with it: the page is loaded anew. */
export const signOut = async (cache: QueryClient, goTo: string): Promise<void> => {
  const { data } = await call(null, 'signOut', undefined, { retries: 0 })
  cache.clear()
  window.location.assign(data.continueAt ?? goTo)
}
