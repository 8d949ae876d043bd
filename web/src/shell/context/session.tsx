import type { Output } from '@sortie/client/calls.ts'
import type { QueryClient } from '@tanstack/react-query'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { call, isRefused, query } from '../../api/api.ts'
import { closeDrafts } from '../../forms/drafts/drafts.ts'
import { confirmDiscard } from '../../ui/dialogs/unsaved.ts'
import { endLiveReads } from '../live/open-streams.ts'
import { tellOtherTabs } from './other-tabs.ts'

export type Account = Output<'getAccount'>['data']

/** The signed-in user; 401 if there is none. */
export const accountQuery = () => ({ ...query(null, 'getAccount'), staleTime: 60_000 })

/** The user's organizations, with the role in each. */
export const organizationsQuery = () => ({ ...query(null, 'listOwnOrganizations'), staleTime: 60_000 })

/** The user's identity at the provider, and how this session proves itself. */
export const identityQuery = () => query(null, 'getIdentity')

export const useAccount = (): Account => useSuspenseQuery(accountQuery()).data.data

/** Account from the cache, or undefined if signed out. Sends no request. */
export const useMaybeAccount = (): Account | undefined => useQuery({ ...accountQuery(), enabled: false }).data?.data

/** True if the organization requires a second factor that the user has not set up. */
export const lacksSecondFactor = ({ secondFactor }: Account, organizationId: string | undefined): boolean =>
  !secondFactor.enabled && secondFactor.requiredBy.some(({ id }) => id === organizationId)

/**
 * Ends the session in every tab of this browser, on the server and at the identity provider, which redirects to the
 * sign-in page. Reloads the page, which drops every cached response and draft. Asks about unsaved changes first; the
 * user may stay.
 * @throws ApiError, ConnectionError if the session may still be active
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

/** @returns sign-out address of the identity provider; null if there is none, or if the session had already ended */
const endSession = async (): Promise<string | null> => {
  try {
    return (await call(null, 'signOut', undefined, { retries: 0 })).data.continueAt
  } catch (error) {
    if (isRefused(error, 'UNAUTHORIZED')) return null
    throw error
  }
}
