import * as contract from '@sortie/contract/invitations.ts'
import * as members from '@sortie/contract/members.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Route, route } from '../../platform/http/context.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { listOrganizationsOfUser } from '../organizations/organizations.queries.ts'
import { DEVICE_LIFETIME_MS } from '../sessions/devices.service.ts'
import { acceptInvitation } from './accept.service.ts'
import { type InvitationRow, listInvitations } from './invitations.queries.ts'
import { inspectInvitation, inviteMember, resendInvitation, revokeInvitation, statusAt } from './invitations.service.ts'

export const invitationRoutes = (passwords: Passwords): Route[] => [
  route(members.inviteMember, async (context) => ({
    data: toInvitation(await inviteMember(context, context.actor, context.body), context.clock),
  })),

  route(contract.listInvitations, async ({ db, actor, clock, query }) => {
    const rows = await listInvitations(db, actor.organizationId, clock.now(), query.status)
    return {
      data: rows.map((row) => ({
        id: row.id,
        email: row.email,
        role: row.role as 'admin' | 'member',
        status: row.status as ReturnType<typeof statusAt>,
        expiresAt: row.expires_at,
        createdAt: row.created_at,
        invitedBy: row.invited_by_name,
        mail: { status: (row.mail_status ?? 'queued') as 'queued', sentAt: row.sent_at, error: row.last_error },
      })),
    }
  }),

  route(contract.revokeInvitation, async (context) => ({
    data: toInvitation(await revokeInvitation(context, context.actor, context.params.invitationId), context.clock),
  })),

  route(contract.resendInvitation, async (context) => ({
    data: toInvitation(await resendInvitation(context, context.actor, context.params.invitationId), context.clock),
  })),

  route(contract.inspectInvitation, async (context) => {
    const { invitation, status, accountExists } = await inspectInvitation(context, context.body.token)
    return {
      data: {
        organizationName: invitation.organization_name,
        email: invitation.email,
        role: invitation.role as 'admin' | 'member',
        status,
        expiresAt: invitation.expires_at,
        accountExists,
      },
    }
  }),

  route(contract.acceptInvitation, async (context) => {
    const { body, person, address, userAgent } = context
    const acceptance = { token: body.token, name: body.name, password: body.password }
    const accepted = await acceptInvitation(context, passwords, person, acceptance, { address, userAgent, deviceToken: context.cookies.get('device') })
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

const toInvitation = (row: InvitationRow, clock: Clock) => ({
  id: row.id,
  email: row.email,
  role: row.role as 'admin' | 'member',
  status: statusAt(row, clock),
  expiresAt: row.expires_at,
  createdAt: row.created_at,
})
