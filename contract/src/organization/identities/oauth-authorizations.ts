import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Line,
  Nullable,
  NullableString,
  OneOf,
  one,
  Timestamp,
} from '../../core/endpoint.ts'
import { SCOPE_NAMES } from '../../core/scopes.ts'
import { KeyScopes } from '../api-keys.ts'

/** Of an answer to a client. `waiting`: approved, and an owner or admin has to confirm it. */
export const OAUTH_STATES = ['waiting', 'approved', 'denied', 'used'] as const

const WantedRequest = Type.String({
  minLength: 1,
  maxLength: 4_096,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'the query of the authorization request in base64url, as the address of the consent page has it',
  examples: ['cmVzcG9uc2VfdHlwZT1jb2Rl'],
})

const RedirectTo = NullableString(
  'where to send the browser: the redirect URI of the client with its answer; null while the answer waits, and once it is used',
)

const Answer = closedObject({
  id: Id('dva'),
  state: OneOf(OAUTH_STATES),
  expiresAt: Timestamp(),
  redirectTo: RedirectTo,
})

const UNCHECKED =
  'A request whose client or redirect URI is not valid is refused with 422, and nothing is sent to the redirect URI.'

const door = { origin: 'extension', doors: ['web'] } as const
const cost = { perHour: 200, atOnce: 8 }
const SAFE_MODE = 'This instance is in safe mode: it fetches no documents of clients.'

export const getAuthorizationRequest = endpoint({
  ...door,
  id: 'getAuthorizationRequest',
  method: 'GET',
  path: '/oauth/authorizations',
  scope: 'session',
  about: 'instance',
  cost,
  summary: 'Read which client asks for access by OAuth. Fetches the document that describes the client.',
  description: UNCHECKED,
  query: closedObject({ request: WantedRequest }),
  reply: one(
    closedObject({
      client: closedObject({
        id: Type.String({ description: 'the address of its document' }),
        name: Type.String({ description: 'the name that it gives itself, which no one has checked' }),
        host: Type.String({ description: 'the host that the document was read from' }),
      }),
      redirect: closedObject({
        host: Type.String(),
        isLocal: Type.Boolean({ description: 'a program on the computer of the person' }),
      }),
      scopes: Type.Array(OneOf(SCOPE_NAMES), { description: 'the scopes that it asks for' }),
      refusal: Nullable(
        {
          error: Type.String({ description: 'as in RFC 6749, section 4.1.2.1' }),
          description: Type.String(),
          redirectTo: Type.String({ description: 'the redirect URI of the client with this error' }),
        },
        'what is wrong with the request; null if it can be approved',
      ),
    }),
  ),
  conflicts: [SAFE_MODE],
})

export const answerAuthorizationRequest = endpoint({
  ...door,
  id: 'answerAuthorizationRequest',
  method: 'POST',
  path: '/oauth/authorizations',
  scope: 'any',
  about: 'organization',
  cost,
  summary: 'Approve or refuse a client: approved, it gets the key of a new agent that belongs to the caller.',
  description: `Owner and admins approve for any engagement, leads for the engagements that they lead. The approval of anyone else waits until an owner or admin confirms it: ask for it with \`GET /oauth/authorizations/:authorizationId\`. The key never has more rights than the person has at that moment, and ends with the membership. ${UNCHECKED}`,
  body: closedObject({
    request: WantedRequest,
    approve: Type.Boolean(),
    name: Type.Optional(Line(100, { description: 'of the agent; absent: that of the client', examples: ['recon-1'] })),
    scopes: Type.Optional(KeyScopes),
    engagementIds: Type.Optional(Type.Array(Id('eng'), { minItems: 1, maxItems: 100, uniqueItems: true })),
    expiresAt: Type.Optional(Timestamp('at most 366 days from now')),
  }),
  reply: one(
    closedObject({
      id: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'null if it is refused' }),
      state: OneOf(OAUTH_STATES),
      redirectTo: RedirectTo,
    }),
  ),
  conflicts: [SAFE_MODE],
})

export const getAuthorization = endpoint({
  ...door,
  id: 'getAuthorization',
  method: 'GET',
  path: '/oauth/authorizations/:authorizationId',
  scope: 'any',
  about: 'organization',
  summary: 'Read an approval of the caller, until an owner or admin confirms it.',
  params: closedObject({ authorizationId: Id('dva') }),
  reply: one(Answer),
})
