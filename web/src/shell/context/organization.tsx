import type { Output } from '@sortie/client/calls.ts'
import { createContext, useContext } from 'react'

export type OwnOrganization = Output<'listOwnOrganizations'>['data'][number]

const OrganizationContext = createContext<OwnOrganization | undefined>(undefined)

export const OrganizationProvider = OrganizationContext.Provider

/** The organization in the address, with the user's role. */
export const useOrganization = (): OwnOrganization => {
  const organization = useContext(OrganizationContext)
  if (!organization) throw new Error('useOrganization is for pages of an organization')
  return organization
}

/** The organization in the address, or undefined outside of one. */
export const useMaybeOrganization = (): OwnOrganization | undefined => useContext(OrganizationContext)

/** True if the user may change the organization: other members do not see buttons that the server would refuse. */
export const isAdmin = ({ role }: { role: OwnOrganization['role'] }): boolean => role !== 'member'

const LAST = 'sortie.last-organization'

/** Remembers the organization per browser, as the destination of "home". */
export const rememberOrganization = (slug: string): void => {
  try {
    localStorage.setItem(LAST, slug)
  } catch {
    // Without storage, each visit starts at the first organization.
  }
}

export const lastOrganization = (organizations: readonly OwnOrganization[]): OwnOrganization | undefined => {
  let slug: string | null = null
  try {
    slug = localStorage.getItem(LAST)
  } catch {
    // See above.
  }
  return organizations.find((organization) => organization.slug === slug) ?? organizations[0]
}
