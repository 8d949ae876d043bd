import * as contract from '@sortie/contract/organization/invitations.ts'
import * as members from '@sortie/contract/organization/members.ts'
import type { Clock } from '../../../platform/clock.ts'
import { readPage } from '../../../platform/http/answers/pages.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { type InvitationRow, listInvitations } from './invitations.queries.ts'
import { inspectInvitation, inviteMember, resendInvitation, revokeInvitation, statusAt } from './invitations.service.ts'

export const invitationRoutes: Route[] = [
  route(members.inviteMember, async (context) => ({
    data: toInvitation(await inviteMember(context, context.actor, context.body), context.clock),
  })),

  route(contract.listInvitations, async ({ db, actor, clock, query }) => {
    const read = (before: string | undefined, limit: number) =>
      listInvitations(db, actor.organizationId, clock.now(), { status: query.status, before }, limit)
    const { rows, meta } = await readPage(query, 'inv', read, ({ id }) => id)
    return {
      data: rows.map((row) => ({
        ...toInvitation(row, clock),
        status: row.status,
        invitedBy: row.invited_by_name,
        mail: toMail(row),
      })),
      meta,
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
        role: invitation.role,
        status,
        expiresAt: invitation.expires_at,
        accountExists,
      },
    }
  }),
]

/** A mail that was held back looks sent: only instance administrators see the reason (open point 37). */
const toMail = ({
  mail_status: status,
  sent_at: sentAt,
  last_error: error,
}: Awaited<ReturnType<typeof listInvitations>>[number]) =>
  sentAt === null
    ? { status: (status ?? 'queued') as 'queued', sentAt, error }
    : { status: 'sent' as const, sentAt, error: null }

const toInvitation = (
  row: Pick<InvitationRow, 'id' | 'email' | 'role' | 'status' | 'expires_at' | 'created_at'>,
  clock: Clock,
) => ({
  id: row.id,
  email: row.email,
  role: row.role,
  status: statusAt(row, clock),
  expiresAt: row.expires_at,
  createdAt: row.created_at,
})
