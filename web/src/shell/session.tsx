import type { Output } from '@sortie/client/calls.ts'
import type { QueryClient } from '@tanstack/react-query'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { call, isRefused, query } from '../api.ts'
import { closeDrafts } from '../forms/drafts.ts'
import { confirmDiscard } from '../forms/unsaved.ts'
import { endLiveReads } from './live/open-streams.ts'
import { tellOtherTabs } from './other-tabs.ts'

export type Account = Output<'getAccount'>['data']

/** The signed-in person; 401 when nobody is. */
export const accountQuery = () => ({ ...query(null, 'getAccount'), staleTime: 60_000 })

/** The organizations of the signed-in person, with the role in each. */
export const organizationsQuery = () => ({ ...query(null, 'listOwnOrganizations'), staleTime: 60_000 })

/** Who the signed-in person is at the identity provider, and how this session proves itself. */
export const identityQuery = () => query(null, 'getIdentity')

export const useAccount = (): Account => useSuspenseQuery(accountQuery()).data.data

/** The same where it may be that nobody is signed in. It asks nothing of the server. */
export const useMaybeAccount = (): Account | undefined => useQuery({ ...accountQuery(), enabled: false }).data?.data

/** Whether the organization is closed to the person until a second factor is set up. */
export const lacksSecondFactor = ({ secondFactor }: Account, organizationId: string | undefined): boolean =>
  !secondFactor.enabled && secondFactor.requiredBy.some(({ id }) => id === organizationId)

/**
 * Ends the session in every tab of this browser, on the server and at the identity provider, which leads back to the sign-in
 * page. Every cached answer and every draft goes with it: the page is loaded anew. Changes that are not saved are asked
 * about first, and the person may stay.
 *
 * @throws ApiError, ConnectionError where the session may go on
 */
export const signOut = async (cache: QueryClient, goTo: string): Promise<void> => {
  if (!(await confirmDiscard())) return
  const continueAt = await endSession()
  endLiveReads()
  await closeDrafts()
  tellOtherTabs(null)
  cache.clear()
  window.location.assign(continueAt ?? goTo)
}

/** @returns where the identity provider ends its own session; null for nowhere, and for a session that had ended before */
const endSession = async (): Promise<string | null> => {
  try {
    return (await call(null, 'signOut', undefined, { retries: 0 })).data.continueAt
  } catch (error) {
    if (isRefused(error, 'UNAUTHORIZED')) return null
    throw error
  }
}
