import * as contract from '@sortie/contract/invitations.ts'
import { type Route, route } from '../../../platform/http/context.ts'
import { DEVICE_LIFETIME_MS } from '../../identity/devices/devices.service.ts'
import type { Passwords } from '../../identity/passwords/passwords.ts'
import { listOrganizationsOfUser } from '../organizations.queries.ts'
import { acceptInvitation } from './accept.service.ts'
import { joinByDomain } from './join-by-domain.service.ts'

export const joiningRoutes = (passwords: Passwords): Route[] => [
  route(contract.acceptInvitation, async (context) => {
    const { body, person, address, userAgent } = context
    const acceptance = { token: body.token, name: body.name, password: body.password }
    const accepted = await acceptInvitation({ ...context, joinByDomain }, passwords, person, acceptance, {
      address,
      userAgent,
      deviceToken: context.cookies.get('device'),
    })
    if (accepted.sessionToken) context.cookies.set('sid', accepted.sessionToken)
    if (accepted.newDeviceToken) context.cookies.set('device', accepted.newDeviceToken, DEVICE_LIFETIME_MS / 1000)
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
