import Type from 'typebox'
import { ConfirmingPassword, SecondFactorProof } from '../account/sessions.ts'
import { closedObject, endpoint, Id, OneOf, one, PageQuery, page } from '../core/endpoint.ts'
import { ROLES } from '../core/scopes.ts'

const MAX_NAMED = 20

export const getSecurityOverview = endpoint({
  id: 'getSecurityOverview',
  method: 'GET',
  path: '/organizations/current/security',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the members whom required two-factor authentication or single sign-on would lock out.',
  reply: one(
    closedObject({
      memberCount: Type.Integer({ minimum: 0 }),
      withoutSecondFactor: Type.Integer({
        minimum: 0,
        description: 'members who have neither an authenticator app nor a passkey',
      }),
      named: Type.Array(closedObject({ id: Id('usr', 'user id'), name: Type.String(), email: Type.String() }), {
        maxItems: MAX_NAMED,
        description: 'of those the members who joined first',
      }),
      withoutIdentity: Type.Integer({
        minimum: 0,
        description: 'members who have never signed in through an identity provider',
      }),
    }),
  ),
})

export const listMemberSecondFactors = endpoint({
  id: 'listMemberSecondFactors',
  method: 'GET',
  path: '/organizations/current/second-factors',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'List which members have a second factor, with the filters, order and pages of the list of members.',
  query: closedObject({ role: Type.Optional(OneOf(ROLES)), ...PageQuery }),
  reply: page(closedObject({ userId: Id('usr'), enabled: Type.Boolean() })),
})

export const resetMemberSecondFactor = endpoint({
  id: 'resetMemberSecondFactor',
  method: 'POST',
  path: '/organizations/current/members/:userId/second-factor/reset',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Reset the second factor of a member who has lost it; ends all sessions of that person.',
  description:
    'Confirmed with your password (403 for a wrong one) and your second factor, as `code` or `passkey` (422 for a wrong one). 409 for yourself, for the owner, without a second factor on either account, and for an account that is used beyond what the caller administers (open point 29).',
  params: closedObject({ userId: Id('usr') }),
  body: closedObject({ password: ConfirmingPassword, ...SecondFactorProof }),
  reply: one(closedObject({ reset: Type.Boolean(), userId: Id('usr') })),
})
