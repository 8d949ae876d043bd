import type { Output } from '@sortie/client/calls.ts'
import { createContext, useContext } from 'react'

export type OwnOrganization = Output<'listOwnOrganizations'>['data'][number]

const OrganizationContext = createContext<OwnOrganization | undefined>(undefined)

export const OrganizationProvider = OrganizationContext.Provider

/** The organization that the address names, with the own role in it. */
export const useOrganization = (): OwnOrganization => {
  const organization = useContext(OrganizationContext)
  if (!organization) throw new Error('useOrganization is for pages of an organization')
  return organization
}

/** The same where there may be none. */
export const useMaybeOrganization = (): OwnOrganization | undefined => useContext(OrganizationContext)

/** May change the organization: buttons that the server would refuse are not shown to others. */
export const isAdmin = ({ role }: { role: OwnOrganization['role'] }): boolean => role !== 'member'

const LAST = 'sortie.last-organization'

/** Remembered per browser, for where "home" leads. */
export const rememberOrganization = (slug: string): void => {
  try {
    localStorage.setItem(LAST, slug)
  } catch {
    // A browser that stores nothing starts at the first organization each time.
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
