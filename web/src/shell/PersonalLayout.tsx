import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lastOrganization, OrganizationProvider } from './organization.tsx'
import { organizationsQuery } from './session.tsx'
import { Shell } from './Shell.tsx'

/** The person's own account, and the instance: beside the organization that was open last. */
export const PersonalLayout = ({ title, children = <Outlet /> }: { title: string; children?: ReactNode }) => {
  const { data } = useQuery(organizationsQuery())
  const organization = lastOrganization(data?.data ?? [])
  return (
    <OrganizationProvider value={organization}>
      <Shell kind="settings" title={title}>
        {children}
      </Shell>
    </OrganizationProvider>
  )
}
