import Type from 'typebox'
import { ConfirmingPassword } from '../account/sessions.ts'
import { closedObject, endpoint, Id, Line, list, OneOf, one, Timestamp } from '../core/endpoint.ts'
import { ROLES } from '../core/scopes.ts'

export const OrganizationName = Line(200, { examples: ['Northwind Security'] })

export const OrganizationSettings = closedObject({
  requireTwoFactor: Type.Boolean(),
  domainAutoJoin: Type.Boolean(),
  ssoEnabled: Type.Boolean(),
})

export const Organization = closedObject({
  id: Id('org'),
  name: OrganizationName,
  slug: Type.String({ description: 'read-only through the API', examples: ['northwind-security'] }),
  plan: Type.String({
    description: 'name of the subscription plan: an open string (open point 6)',
    examples: ['free'],
  }),
  memberCount: Type.Integer({ minimum: 0, description: 'number of members' }),
  createdAt: Timestamp(),
  settings: OrganizationSettings,
})

export const getOrganization = endpoint({
  id: 'getOrganization',
  method: 'GET',
  path: '/organizations/current',
  scope: 'organizations:read',
  about: 'either',
  origin: 'specified',
  summary: 'Read the organization that the API key belongs to.',
  reply: one(Organization),
  example: {
    reply: {
      data: {
        id: 'org_01jd7w2v4pf1y8m3c6k9t0r5xz',
        name: 'Northwind Security',
        slug: 'northwind-security',
        plan: 'free',
        memberCount: 12,
        createdAt: '2026-11-21T08:30:00.000Z',
        settings: { requireTwoFactor: false, domainAutoJoin: false, ssoEnabled: false },
      },
    },
  },
})

export const RenamedOrganization = closedObject({
  id: Id('org'),
  name: OrganizationName,
  slug: Type.String({ description: 'does not follow the name' }),
  updatedAt: Timestamp(),
})

export const updateOrganization = endpoint({
  id: 'updateOrganization',
  method: 'PATCH',
  path: '/organizations/current',
  scope: 'organizations:write',
  about: 'organization',
  origin: 'specified',
  summary: 'Change the display name of the organization.',
  description: 'An empty object changes nothing and leaves `updatedAt` as it was (open point 16).',
  body: closedObject({ name: Type.Optional(OrganizationName) }),
  reply: one(RenamedOrganization),
  example: {
    body: { name: 'Northwind Offensive Security' },
    reply: {
      data: {
        id: 'org_01jd7w2v4pf1y8m3c6k9t0r5xz',
        name: 'Northwind Offensive Security',
        slug: 'northwind-security',
        updatedAt: '2026-11-21T08:30:00.000Z',
      },
    },
  },
})

export const OwnOrganization = closedObject({
  id: Id('org'),
  name: OrganizationName,
  slug: Type.String(),
  role: OneOf(ROLES),
  permissions: closedObject(
    { readEngagements: Type.Boolean(), changeEngagements: Type.Boolean(), createEngagements: Type.Boolean() },
    { description: 'permissions of the role where the operator chooses the scope (open point 2)' },
  ),
})

export const listOwnOrganizations = endpoint({
  id: 'listOwnOrganizations',
  method: 'GET',
  path: '/organizations',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the organizations of the signed-in person.',
  reply: list(OwnOrganization),
})

export const transferOwnership = endpoint({
  id: 'transferOwnership',
  method: 'POST',
  path: '/organizations/current/transfer-ownership',
  scope: 'role:owner',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Transfer the organization to another member; the owner becomes an admin.',
  description: 'One atomic swap. The current owner confirms it with the password.',
  body: closedObject({ userId: Id('usr'), password: ConfirmingPassword }),
  reply: one(closedObject({ ownerId: Id('usr'), previousOwnerId: Id('usr') })),
})

/** The specified settings, and those of this project. */
export const AllOrganizationSettings = closedObject({
  ...OrganizationSettings.properties,
  membersCreateEngagements: Type.Boolean({
    description: 'whether members may create engagements, which they then lead',
  }),
})

export const getOrganizationSettings = endpoint({
  id: 'getOrganizationSettings',
  method: 'GET',
  path: '/organizations/current/settings',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Read what the organization requires of its members and allows them to do.',
  reply: one(AllOrganizationSettings),
})

export const updateOrganizationSettings = endpoint({
  id: 'updateOrganizationSettings',
  method: 'PATCH',
  path: '/organizations/current/settings',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Change the security requirements of the organization.',
  description:
    '`requireTwoFactor`: a member without a second factor gets 403 everywhere in this organization until one is set up; API keys are unaffected (open point 29). The user who turns it on must have one: 409. `domainAutoJoin`: people whose verified address is in a verified domain join as members when they sign in; without a verified domain: 409. `ssoEnabled`: sessions that started with a password get 403 everywhere in this organization, including existing ones; the user who turns it on must have signed in through the identity provider: 409. `membersCreateEngagements`: members may create and clone engagements, and lead those.',
  body: closedObject({
    requireTwoFactor: Type.Optional(Type.Boolean()),
    domainAutoJoin: Type.Optional(Type.Boolean()),
    ssoEnabled: Type.Optional(Type.Boolean()),
    membersCreateEngagements: Type.Optional(Type.Boolean()),
  }),
  reply: one(AllOrganizationSettings),
})

export const leaveOrganization = endpoint({
  id: 'leaveOrganization',
  method: 'POST',
  path: '/organizations/current/leave',
  scope: 'any',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'End your membership; the account is kept.',
  description: 'Answers 409 for the owner: transfer the ownership first.',
  reply: one(closedObject({ left: Type.Boolean(), organizationId: Id('org') })),
})
