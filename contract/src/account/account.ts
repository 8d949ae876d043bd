import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Line,
  list,
  Nullable,
  NullableTimestamp,
  one,
  OneOf,
  Timestamp,
} from '../core/endpoint.ts'
import {
  ConfirmingPassword,
  NewPasskey,
  PasskeyOptions,
  PasskeyWish,
  Password,
  SecondFactorCode,
  SecondFactorProof,
} from './sessions.ts'

/** Mails that a user may switch off. Mails about security are always sent (open point 36). */
const preferences = {
  membership: Type.Boolean({ description: 'your role in an organization changed, or your membership ended' }),
  apiKeys: Type.Boolean({ description: 'as owner or admin: a key was created or deleted' }),
  invitations: Type.Boolean({ description: 'as owner or admin: an invitation was accepted' }),
  mentions: Type.Boolean({ description: 'someone mentioned you in a comment' }),
  assignments: Type.Boolean({ description: 'someone assigned a task to you' }),
}

/** `3 Feb 2031`, `Feb 3, 2031`, `03.02.2031`, `2031-02-03`. All of them tell the day from the month. */
export const DATE_FORMATS = ['day_month_year', 'month_day_year', 'dotted', 'iso'] as const
/** `14:05`, `2:05 PM` */
export const TIME_FORMATS = ['24h', '12h'] as const

const DateFormat = OneOf(DATE_FORMATS, {
  description: 'how the web interface writes days: `3 Feb 2031`, `Feb 3, 2031`, `03.02.2031`, `2031-02-03`',
})
const TimeFormat = OneOf(TIME_FORMATS, { description: 'how the web interface writes times: `14:05`, `2:05 PM`' })

export const Account = closedObject({
  id: Id('usr'),
  name: Line(200),
  email: Type.String({ description: 'read-only' }),
  isInstanceAdmin: Type.Boolean(),
  createdAt: Timestamp(),
  safeMode: Nullable(
    { reason: Type.String(), isForced: Type.Boolean({ description: 'going live does not end it' }) },
    'why nothing leaves this instance; null while it is live',
  ),
  secondFactor: closedObject({
    enabled: Type.Boolean(),
    enabledAt: NullableTimestamp('when it was first set up; null without one'),
    appEnabledAt: NullableTimestamp('of the authenticator app; null without one'),
    passkeys: Type.Integer({ minimum: 0, description: 'how many passkeys there are' }),
    recoveryCodesLeft: Type.Integer({ minimum: 0, maximum: 10 }),
    requiredBy: Type.Array(closedObject({ id: Id('org'), name: Type.String() }), {
      description: 'organizations of this person that require two-factor authentication',
    }),
  }),
  dateFormat: DateFormat,
  timeFormat: TimeFormat,
  notifications: closedObject(preferences),
})

export const getAccount = endpoint({
  id: 'getAccount',
  method: 'GET',
  path: '/account',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Read the account of the signed-in person.',
  reply: one(Account),
})

export const updateAccount = endpoint({
  id: 'updateAccount',
  method: 'PATCH',
  path: '/account',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Change your name, how dates and times are written, or which notifications are emailed.',
  body: closedObject({
    name: Type.Optional(Line(200)),
    dateFormat: Type.Optional(DateFormat),
    timeFormat: Type.Optional(TimeFormat),
    notifications: Type.Optional(
      closedObject({
        membership: Type.Optional(preferences.membership),
        apiKeys: Type.Optional(preferences.apiKeys),
        invitations: Type.Optional(preferences.invitations),
        mentions: Type.Optional(preferences.mentions),
        assignments: Type.Optional(preferences.assignments),
      }),
    ),
  }),
  reply: one(Account),
})

export const changePassword = endpoint({
  id: 'changePassword',
  method: 'POST',
  path: '/account/password',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Change the password; ends every other session and gives this one a new cookie.',
  description: 'A wrong current password: 403. A new one that may not be used: 422.',
  body: closedObject({ currentPassword: Password, newPassword: Password }),
  reply: one(closedObject({ changed: Type.Boolean(), endedSessions: Type.Integer({ minimum: 0 }) })),
})

export const Session = closedObject({
  id: Id('ses'),
  device: Type.String({ examples: ['Firefox on Linux'], description: 'browser and system in words' }),
  userAgent: Type.String(),
  address: Type.String({ description: 'network address from which it was started' }),
  createdAt: Timestamp(),
  lastSeenAt: Timestamp(),
  expiresAt: Timestamp('latest end'),
  current: Type.Boolean({ description: 'the session of this request' }),
})

export const listSessions = endpoint({
  id: 'listSessions',
  method: 'GET',
  path: '/account/sessions',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'List your sessions, this one first, then by last use.',
  reply: list(Session),
})

export const endSession = endpoint({
  id: 'endSession',
  method: 'DELETE',
  path: '/account/sessions/:sessionId',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'End one of your sessions; ending this one signs out.',
  params: closedObject({ sessionId: Id('ses') }),
  reply: one(closedObject({ ended: Type.Boolean(), id: Id('ses') })),
})

export const endOtherSessions = endpoint({
  id: 'endOtherSessions',
  method: 'DELETE',
  path: '/account/sessions',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'End all sessions of this account except the current one.',
  reply: one(closedObject({ endedSessions: Type.Integer({ minimum: 0 }) })),
})

export const startSecondFactor = endpoint({
  id: 'startSecondFactor',
  method: 'POST',
  path: '/account/second-factor',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Create a secret for an authenticator app; it is active once it is confirmed with a code.',
  description:
    'Starting again replaces an unconfirmed secret. A wrong password: 403. With an app set up already: 409. With passkeys, `code` (a recovery code) or `passkey` is needed too: 422 where it is missing or wrong.',
  body: closedObject({ password: ConfirmingPassword, ...SecondFactorProof }),
  reply: one(
    closedObject({
      secret: Type.String({ description: 'base 32, to enter it by hand' }),
      uri: Type.String({ description: '`otpauth://totp/...`, for a QR code' }),
    }),
  ),
  status: 201,
})

const RecoveryCodes = closedObject({
  recoveryCodes: Type.Array(Type.String({ examples: ['7K2M-9QXR-T4WB-HN3E'] }), {
    minItems: 10,
    maxItems: 10,
    description: 'each works once in place of a code; shown only here',
  }),
})

export const confirmSecondFactor = endpoint({
  id: 'confirmSecondFactor',
  method: 'POST',
  path: '/account/second-factor/confirm',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Turn on the authenticator app with a first code; ends every other session and gives this one a new cookie.',
  description: 'A wrong code: 422, and it can be tried again. Nothing started: 409.',
  body: closedObject({ code: SecondFactorCode }),
  reply: one(RecoveryCodes),
  status: 201,
})

export const removeSecondFactor = endpoint({
  id: 'removeSecondFactor',
  method: 'DELETE',
  path: '/account/second-factor',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Remove the authenticator app from the account; ends every other session and gives this one a new cookie.',
  description:
    'A wrong password: 403. A wrong code or passkey: 422. `code` may be a recovery code; one of `code` and `passkey` is needed. Without passkeys the account then has no second factor.',
  body: closedObject({ password: ConfirmingPassword, ...SecondFactorProof }),
  reply: one(closedObject({ removed: Type.Boolean() })),
})

export const renewRecoveryCodes = endpoint({
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: '/account/second-factor/recovery-codes',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Create ten new recovery codes; the old ones stop working.',
  description:
    'A wrong password: 403. Without a second factor: 409. A wrong code or passkey: 422; one of the two is needed, and `code` may be a recovery code.',
  body: closedObject({ password: ConfirmingPassword, ...SecondFactorProof }),
  reply: one(RecoveryCodes),
  status: 201,
})

export const Passkey = closedObject({
  id: Id('pky'),
  name: Line(60, { examples: ['Blue security key'] }),
  createdAt: Timestamp(),
  lastUsedAt: NullableTimestamp('null for never'),
})

export const listPasskeys = endpoint({
  id: 'listPasskeys',
  method: 'GET',
  path: '/account/passkeys',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the passkeys of the signed-in person, the oldest first.',
  reply: list(Passkey),
})

export const startPasskey = endpoint({
  id: 'startPasskey',
  method: 'POST',
  path: '/account/passkeys/start',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Get the WebAuthn options from which the browser creates a passkey.',
  description:
    'With a second factor set up, `code` or `passkey` proves it as well as the password: 422 where it is missing or wrong. A wrong password: 403. With twenty passkeys, or where browsers cannot create one (this server is reached by a network address): 409.',
  body: closedObject({ password: ConfirmingPassword, ...SecondFactorProof }),
  reply: one(PasskeyWish),
  status: 201,
})

export const confirmPasskey = endpoint({
  id: 'confirmPasskey',
  method: 'POST',
  path: '/account/passkeys',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Add the passkey that the browser created; ends every other session and gives this one a new cookie.',
  description:
    'Accepts one response for each start, within 5 minutes: 409 without a start, 422 for a response that does not match.',
  body: closedObject({ name: Line(60), passkey: NewPasskey }),
  reply: one(
    closedObject({
      passkey: Passkey,
      recoveryCodes: Type.Array(Type.String(), {
        maxItems: 10,
        description: 'ten if this is the first second factor of the account, otherwise none; shown only here',
      }),
    }),
  ),
  status: 201,
})

export const startPasskeyProof = endpoint({
  id: 'startPasskeyProof',
  method: 'POST',
  path: '/account/passkeys/options',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Get the WebAuthn challenge for a change that requires `passkey`.',
  description: 'A new challenge replaces the previous one. Without a passkey: 409.',
  reply: one(PasskeyOptions),
})

export const renamePasskey = endpoint({
  id: 'renamePasskey',
  method: 'PATCH',
  path: '/account/passkeys/:passkeyId',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Change the name of a passkey.',
  params: closedObject({ passkeyId: Id('pky') }),
  body: closedObject({ name: Line(60) }),
  reply: one(Passkey),
})

export const removePasskey = endpoint({
  id: 'removePasskey',
  method: 'DELETE',
  path: '/account/passkeys/:passkeyId',
  scope: 'session',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Remove a passkey from the account; ends every other session and gives this one a new cookie.',
  description: 'A wrong password: 403. A wrong code or passkey: 422; one of the two is needed.',
  params: closedObject({ passkeyId: Id('pky') }),
  body: closedObject({ password: ConfirmingPassword, ...SecondFactorProof }),
  reply: one(closedObject({ removed: Type.Boolean(), id: Id('pky') })),
})
