import Type from 'typebox'
import { closedObject, endpoint, Id, list, NullableTimestamp, one, Timestamp } from '../core/endpoint.ts'

export const Domain = closedObject({
  id: Id('dom'),
  domain: Type.String({ description: 'in its ASCII form', examples: ['contoso.com'] }),
  proved: Type.Boolean({ description: 'the record was there at the last answer, at most 90 days ago' }),
  contested: Type.Boolean({
    description: 'another organization has verified the same domain: no one can join either of them by it',
  }),
  recordName: Type.String({ description: 'where the TXT record goes', examples: ['_sortie-challenge.contoso.com'] }),
  recordValue: Type.String({ description: 'what it has to contain' }),
  provedAt: NullableTimestamp('when the record was last found; null while it counts as missing'),
  checkedAt: NullableTimestamp('of the last check; null before the first'),
  checkResult: Type.Unsafe<'found' | 'missing' | 'unanswered' | null>({
    type: ['string', 'null'],
    enum: ['found', 'missing', 'unanswered', null],
    description: '`unanswered`: the name servers did not answer, which changes nothing',
  }),
  createdAt: Timestamp(),
})

const params = closedObject({ domainId: Id('dom') })

export const listDomains = endpoint({
  id: 'listDomains',
  method: 'GET',
  path: '/organizations/current/domains',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the domains that the organization claims.',
  reply: list(Domain),
})

export const claimDomain = endpoint({
  id: 'claimDomain',
  method: 'POST',
  path: '/organizations/current/domains',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Claim a domain; it is verified once its TXT record is found.',
  description:
    'An invalid name, or a domain where anyone can get an address (gmail.com): 422. An already claimed domain, or the twenty-first: 409.',
  body: closedObject({ domain: Type.String({ minLength: 1, maxLength: 253, examples: ['contoso.com'] }) }),
  reply: one(Domain),
  status: 201,
})

export const checkDomain = endpoint({
  id: 'checkDomain',
  method: 'POST',
  path: '/organizations/current/domains/:domainId/check',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Check for the TXT record now.',
  description: 'The response contains the result. At most 60 checks per organization and hour: 429.',
  params,
  cost: { perHour: 60, atOnce: 3 },
  reply: one(Domain),
})

export const removeDomain = endpoint({
  id: 'removeDomain',
  method: 'DELETE',
  path: '/organizations/current/domains/:domainId',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Remove a domain; members who joined by it stay.',
  description: 'With the last verified domain, joining by domain is switched off.',
  params,
  reply: one(closedObject({ removed: Type.Boolean(), id: Id('dom'), autoJoinEnded: Type.Boolean() })),
})
