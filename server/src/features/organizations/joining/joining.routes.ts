import * as contract from '@sortie/contract/organization/invitations.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import type { Passwords } from '../../auth/passwords/passwords.ts'
import { originOf, setSignedInCookies } from '../../auth/sign-in/signed-in-cookies.ts'
import { listOrganizationsOfUser } from '../organizations.queries.ts'
import { acceptInvitation } from './accept.service.ts'
import { joinByDomain } from './join-by-domain.service.ts'

export const joiningRoutes = (passwords: Passwords): Route[] => [
  route(contract.acceptInvitation, async (context) => {
    const { token, name, password } = context.body
    const accepted = await acceptInvitation(
      { ...context, joinByDomain },
      passwords,
      { token, name, password },
      originOf(context),
    )
    if (accepted.signedIn) setSignedInCookies(context.cookies, accepted.signedIn)
    const { user, role, organizationId } = accepted
    const organization = (await listOrganizationsOfUser(context.db, user.id)).find(({ id }) => id === organizationId)
    return {
      data: {
        organization: { id: organizationId, name: organization?.name ?? '', slug: organization?.slug ?? '', role },
        user: { id: user.id, name: user.name, email: user.email },
      },
    }
  }),
]
