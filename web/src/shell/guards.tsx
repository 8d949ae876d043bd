import { Outlet } from '@tanstack/react-router'
import { Notice } from '../ui/Notice.tsx'
import { isAdmin, useOrganization } from './organization.tsx'

/** Around pages of the owner and admins. Whoever is neither sees none of their buttons, and nothing is asked of the server. */
export const AdminsOnly = () => {
  const organization = useOrganization()
  if (!isAdmin(organization)) return <Notice title="You have no access">Only the owner and admins of {organization.name} can open this page.</Notice>
  return <Outlet />
}

/** Around the work: whether members may read engagements is the operator's choice. */
export const EngagementReadersOnly = () => {
  const organization = useOrganization()
  if (!organization.permissions.readEngagements) return <Notice title="You have no access">Your role in {organization.name} does not open engagements.</Notice>
  return <Outlet />
}
