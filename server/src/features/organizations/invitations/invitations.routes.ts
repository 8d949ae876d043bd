import * as contract from '@sortie/contract/invitations.ts'
import * as members from '@sortie/contract/members.ts'
import type { Clock } from '../../../platform/clock.ts'
import { badRequest } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/context.ts'
import { isId } from '../../../platform/ids.ts'
import { type InvitationRow, listInvitations } from './invitations.queries.ts'
import { inspectInvitation, inviteMember, resendInvitation, revokeInvitation, statusAt } from './invitations.service.ts'

export const invitationRoutes: Route[] = [
  route(members.inviteMember, async (context) => ({
    data: toInvitation(await inviteMember(context, context.actor, context.body), context.clock),
  })),

  route(contract.listInvitations, async ({ db, actor, clock, query }) => {
    const { status, cursor, perPage } = query
    if (cursor !== undefined && !isId('inv', cursor)) throw badRequest('cursor: is not one that this list gave out')
    const rows = await listInvitations(db, actor.organizationId, clock.now(), { status, before: cursor }, perPage + 1)
    const shown = rows.slice(0, perPage)
    return {
      data: shown.map((row) => ({
        id: row.id,
        email: row.email,
        role: row.role as 'admin' | 'member',
        status: row.status as ReturnType<typeof statusAt>,
        expiresAt: row.expires_at,
        createdAt: row.created_at,
        invitedBy: row.invited_by_name,
        mail: toMail(row),
      })),
      meta: { perPage, nextCursor: rows.length > perPage ? (shown.at(-1)?.id ?? null) : null },
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
]

/** A mail that was held back looks like one that was sent: why is for instance administrators (open point 37). */
const toMail = ({ mail_status: status, sent_at: sentAt, last_error: error }: Awaited<ReturnType<typeof listInvitations>>[number]) =>
  sentAt === null ? { status: (status ?? 'queued') as 'queued', sentAt, error } : { status: 'sent' as const, sentAt, error: null }

const toInvitation = (row: InvitationRow, clock: Clock) => ({
  id: row.id,
  email: row.email,
  role: row.role as 'admin' | 'member',
  status: statusAt(row, clock),
  expiresAt: row.expires_at,
  createdAt: row.created_at,
})
