import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lastOrganization, OrganizationProvider } from '../context/organization.tsx'
import { organizationsQuery } from '../context/session.tsx'
import { Shell } from './Shell.tsx'

/** Layout of the account and instance pages, with the last open organization. */
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
