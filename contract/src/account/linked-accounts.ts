import Type from 'typebox'
import { closedObject, endpoint, Line, Nullable, NullableString, OneOf, one, Timestamp } from '../core/endpoint.ts'
import { Password, SecondFactors, SignedInUser } from './sessions.ts'

export const SIGN_IN_PROVIDERS = ['local', 'oidc', 'workos'] as const

const Next = Type.Optional(
  Type.String({
    maxLength: 5_000,
    description: 'path of the web interface to continue with; any other value counts as `/`',
  }),
)

const Departure = one(
  closedObject({ url: Type.String({ description: 'where to send the browser: the identity provider' }) }),
)

export const getSignInMode = endpoint({
  id: 'getSignInMode',
  method: 'GET',
  path: '/mode',
  scope: 'public',
  about: 'instance',
  origin: 'extension',
  doors: ['auth'],
  summary: 'How people sign in to this server.',
  reply: one(
    closedObject({
      provider: OneOf(SIGN_IN_PROVIDERS),
      providerName: NullableString('for the button; null with `local`'),
      passwordsFor: OneOf(['everybody', 'administrators', 'nobody'], {
        description: 'who can sign in with a password; `administrators`: only those of the instance',
      }),
    }),
  ),
})

export const startSingleSignOn = endpoint({
  id: 'startSingleSignOn',
  method: 'POST',
  path: '/sso/start',
  scope: 'public',
  about: 'instance',
  origin: 'extension',
  doors: ['auth'],
  summary: 'Begin signing in through the identity provider; sets the flow cookie.',
  description: 'With `AUTH_PROVIDER=local`: 404. While the provider does not answer: 503.',
  body: closedObject({ next: Next }),
  reply: Departure,
})

export const finishSingleSignOn = endpoint({
  id: 'finishSingleSignOn',
  method: 'POST',
  path: '/sso/callback',
  scope: 'public',
  about: 'instance',
  origin: 'extension',
  doors: ['auth'],
  summary: 'Complete a sign-in with the callback of the identity provider; sets the session cookie.',
  description:
    'Completes signing in, linking or confirming. It works once, in the browser that started it, within 15 minutes; otherwise 400, as for an invalid response. 403: the provider refused, or has not verified the address. 409: the address has an account that is not linked, or the identity belongs to another one. With `second-factor` the user is not signed in yet: a ticket cookie lets `/sign-in/second-factor` continue.',
  body: closedObject({
    query: Type.String({
      minLength: 1,
      maxLength: 8_000,
      description: 'the query string of the address that the browser was sent to',
    }),
  }),
  reply: one(
    closedObject({
      outcome: OneOf(['signed-in', 'second-factor', 'linked', 'confirmed']),
      user: Nullable(SignedInUser.properties, 'null while the second factor is missing'),
      secondFactors: SecondFactors,
      next: Type.String({ description: 'path of the web interface to continue with' }),
    }),
  ),
})

export const getIdentity = endpoint({
  id: 'getIdentity',
  method: 'GET',
  path: '/account/identity',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'The identity at the provider that this account is linked to.',
  reply: one(
    closedObject({
      providerName: NullableString('null with `AUTH_PROVIDER=local`'),
      identity: Nullable(
        {
          subject: Type.String({ description: 'the id there' }),
          email: Line(254),
          linkedAt: Timestamp(),
          lastUsedAt: Timestamp(),
        },
        'null: not linked',
      ),
      confirmedUntil: NullableString(
        'time until which the confirmation of this session replaces a password; null: none',
      ),
      confirmsBy: OneOf(['password', 'provider'], {
        description: 'how this session confirms changes that a stolen session must not make',
      }),
    }),
  ),
})

export const startLinking = endpoint({
  id: 'startLinking',
  method: 'POST',
  path: '/account/identity',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Begin linking this account to an identity at the provider; sets the flow cookie.',
  description:
    'The identity that signs in there next is linked to this account. A wrong password: 403. Linked already: 409. With `AUTH_PROVIDER=local`: 404.',
  body: closedObject({ password: Password }),
  reply: Departure,
})

export const startConfirming = endpoint({
  id: 'startConfirming',
  method: 'POST',
  path: '/account/confirmation',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Begin signing in again at the identity provider, in place of a password; sets the flow cookie.',
  description:
    'For sessions that the provider started; for 15 minutes they then need no password. Other sessions: 409.',
  body: closedObject({ next: Next }),
  reply: Departure,
})
