import Type from 'typebox'
import {
  closedObject,
  Email,
  endpoint,
  Id,
  NullableTimestamp,
  OneOf,
  one,
  PageQuery,
  page,
  Timestamp,
} from '../core/endpoint.ts'
import { ROLES } from '../core/scopes.ts'
import { Invitation } from './invitations.ts'

export const ASSIGNABLE_ROLES = ['admin', 'member'] as const
export const AssignableRole = OneOf(ASSIGNABLE_ROLES)

export const Member = closedObject({
  id: Id('usr', 'user id'),
  name: Type.String(),
  email: Type.String(),
  role: OneOf(ROLES),
  joinedAt: Timestamp(),
  lastSeenAt: NullableTimestamp(
    'last use of this organization in the web interface, to the minute; null for never (open point 34)',
  ),
})

const EXAMPLE_MEMBER = {
  id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz',
  name: 'Ada Byron',
  email: 'ada@example.com',
  role: 'admin',
  joinedAt: '2026-11-21T08:30:00.000Z',
  lastSeenAt: '2026-11-21T09:12:00.000Z',
}

export const listMembers = endpoint({
  id: 'listMembers',
  method: 'GET',
  path: '/organizations/current/members',
  scope: 'organizations:read',
  about: 'organization',
  origin: 'specified',
  summary: 'List the members, oldest membership first.',
  description: 'A page past the end answers an empty list with true totals (open point 17).',
  query: closedObject({ role: Type.Optional(OneOf(ROLES)), ...PageQuery }),
  reply: page(Member),
  example: { reply: { data: [EXAMPLE_MEMBER], meta: { total: 1, page: 1, perPage: 20, totalPages: 1 } } },
})

export const inviteMember = endpoint({
  id: 'inviteMember',
  method: 'POST',
  path: '/organizations/current/members/invite',
  scope: 'organizations:write',
  about: 'organization',
  origin: 'specified',
  summary: 'Invite an address by email; the invitation ends 7 days later.',
  description:
    'Answers 409 when the address belongs to a member or has a pending invitation, ignoring case (open point 8).',
  body: closedObject({ email: Email, role: AssignableRole }),
  reply: one(Invitation),
  status: 201,
  conflicts: [
    'This address already belongs to a member.',
    'This address already has a pending invitation. It can be sent again in the web interface.',
  ],
  example: {
    body: { email: 'grace@example.com', role: 'member' },
    reply: {
      data: {
        id: 'inv_01jd7w2v4pf1y8m3c6k9t0r5xz',
        email: 'grace@example.com',
        role: 'member',
        status: 'pending',
        expiresAt: '2026-11-28T08:30:00.000Z',
        createdAt: '2026-11-21T08:30:00.000Z',
      },
    },
  },
})

export const changeMemberRole = endpoint({
  id: 'changeMemberRole',
  method: 'PATCH',
  path: '/organizations/current/members/:userId',
  scope: 'organizations:write',
  about: 'organization',
  origin: 'specified',
  summary: 'Make a member an admin, or an admin a member.',
  description:
    "The owner's role cannot be changed with the API: 409 for the owner as target (open point 10), 422 for `owner` as role (open point 11).",
  params: closedObject({ userId: Id('usr') }),
  body: closedObject({ role: AssignableRole }),
  reply: one(closedObject({ id: Id('usr', 'user id'), role: AssignableRole, updatedAt: Timestamp() })),
  conflicts: ["The owner's role cannot be changed here. Ownership is transferred in the web interface, by the owner."],
  example: {
    body: { role: 'admin' },
    reply: { data: { id: EXAMPLE_MEMBER.id, role: 'admin', updatedAt: '2026-11-21T08:30:00.000Z' } },
  },
})

export const removeMember = endpoint({
  id: 'removeMember',
  method: 'DELETE',
  path: '/organizations/current/members/:userId',
  scope: 'organizations:write',
  about: 'organization',
  origin: 'specified',
  summary: 'End a membership immediately; the account is kept.',
  description: 'Answers 409 for the owner (open point 10).',
  params: closedObject({ userId: Id('usr') }),
  reply: one(closedObject({ removed: Type.Boolean(), userId: Id('usr') })),
  conflicts: ['The owner cannot be removed. Transfer the ownership first.'],
  example: { reply: { data: { removed: true, userId: EXAMPLE_MEMBER.id } } },
})
