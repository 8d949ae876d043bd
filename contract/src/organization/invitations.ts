import Type from 'typebox'
import {
  CursorQuery,
  closedObject,
  cursorPage,
  endpoint,
  Id,
  Line,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
  Timestamp,
} from '../core/endpoint.ts'
import { IN_SAFE_MODE } from '../core/errors.ts'
import { ROLES } from '../core/scopes.ts'

/** Values other than `pending` are this project's decision (open point 7). */
export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const

const InvitedRole = OneOf(['admin', 'member'])
const Token = Type.String({ minLength: 1, maxLength: 200, description: 'the token of the mailed link' })

export const Invitation = closedObject({
  id: Id('inv'),
  email: Type.String({ description: 'address invited' }),
  role: InvitedRole,
  status: OneOf(INVITATION_STATUSES),
  expiresAt: Timestamp('7 days after creation'),
  createdAt: Timestamp(),
})

/** States of the mail with the link, as far as this server knows them. */
export const MAIL_STATUSES = ['queued', 'sent', 'failed', 'cancelled'] as const

export const ListedInvitation = closedObject({
  id: Id('inv'),
  email: Type.String(),
  role: InvitedRole,
  status: OneOf(INVITATION_STATUSES),
  expiresAt: Timestamp(),
  createdAt: Timestamp(),
  invitedBy: NullableString('name of the person or key that sent it'),
  mail: closedObject({
    status: OneOf(MAIL_STATUSES),
    sentAt: NullableTimestamp('when the mail server took it'),
    error: NullableString('why the last attempt failed'),
  }),
})

export const listInvitations = endpoint({
  id: 'listInvitations',
  method: 'GET',
  path: '/invitations',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the invitations, newest first, each with the state of its mail.',
  query: closedObject({ ...CursorQuery, status: Type.Optional(OneOf(INVITATION_STATUSES)) }),
  reply: cursorPage(ListedInvitation),
})

export const revokeInvitation = endpoint({
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/invitations/:invitationId',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Revoke a pending invitation; its link stops working immediately.',
  params: closedObject({ invitationId: Id('inv') }),
  reply: one(Invitation),
})

export const resendInvitation = endpoint({
  id: 'resendInvitation',
  method: 'POST',
  path: '/invitations/:invitationId/resend',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Mail a new link for another 7 days; the old link stops working immediately.',
  params: closedObject({ invitationId: Id('inv') }),
  reply: one(Invitation),
  conflicts: ['This invitation is accepted; invite the address again instead.', IN_SAFE_MODE],
})

export const inspectInvitation = endpoint({
  id: 'inspectInvitation',
  method: 'POST',
  path: '/invitations/inspect',
  scope: 'public',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Read what an emailed link is for, and whether it still works.',
  body: closedObject({ token: Token }),
  reply: one(
    closedObject({
      organizationName: Type.String(),
      email: Type.String(),
      role: InvitedRole,
      status: OneOf(INVITATION_STATUSES),
      expiresAt: Timestamp(),
      accountExists: Type.Boolean({ description: 'whether the address has an account: then sign in first' }),
    }),
  ),
})

export const acceptInvitation = endpoint({
  id: 'acceptInvitation',
  method: 'POST',
  path: '/invitations/accept',
  scope: 'public',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Accept an invitation with the token of its mail.',
  description:
    'Signed in: the account joins, `name` and `password` are not used; with another address than the invited one 403. Not signed in: an account is made from `name` and `password`, and a session cookie is set; where the address has an account already 409. A token that is unknown, used, revoked or expired: 404.',
  body: closedObject({
    token: Token,
    name: Type.Optional(Line(200)),
    password: Type.Optional(Type.String({ maxLength: 1024 })),
  }),
  reply: one(
    closedObject({
      organization: closedObject({ id: Id('org'), name: Type.String(), slug: Type.String(), role: OneOf(ROLES) }),
      user: closedObject({ id: Id('usr'), name: Type.String(), email: Type.String() }),
    }),
  ),
})
