import { Outlet } from '@tanstack/react-router'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { isAdmin, useOrganization } from '../context/organization.tsx'

/**
 * Guards pages of the owner and admins. Other members see none of their buttons, and the server receives no request.
 */
export const AdminsOnly = () => {
  const organization = useOrganization()
  if (!isAdmin(organization))
    return (
      <Notice title="You have no access">Only the owner and admins of {organization.name} can open this page.</Notice>
    )
  return <Outlet />
}

/** Guards engagement pages: the operator decides whether members may read engagements. */
export const EngagementReadersOnly = () => {
  const organization = useOrganization()
  if (!organization.permissions.readEngagements)
    return <Notice title="You have no access">Your role in {organization.name} can't open engagements.</Notice>
  return <Outlet />
}
