import Type from 'typebox'
import {
  closedObject,
  Email,
  endpoint,
  Id,
  Line,
  Nullable,
  NullableString,
  OneOf,
  one,
  Timestamp,
} from '../core/endpoint.ts'

const userFields = { id: Id('usr'), name: Type.String(), email: Type.String() }

export const SignedInUser = closedObject(userFields)

/** The length of passwords is checked before they are hashed. */
export const Password = Type.String({ minLength: 1, maxLength: 1024 })

/** Confirms the user before an action that a stolen session must not perform. */
export const ConfirmingPassword = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1024,
    description:
      'required, except in a session that the identity provider started: that needs a confirmation of the last 15 minutes',
  }),
)

/** User input: six digits of an authenticator app, or a recovery code with or without its hyphens. */
export const SecondFactorCode = Type.String({ minLength: 6, maxLength: 40, examples: ['492039'] })

/** Bytes in WebAuthn's JSON encoding. */
const Base64Url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })

const PasskeyDescriptor = closedObject({
  id: Type.String(),
  type: OneOf(['public-key']),
  transports: Type.Array(Type.String(), { description: 'how the browser can reach it: a hint' }),
})

/** The challenge for a browser to sign: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const PasskeyOptions = closedObject({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer({ description: 'milliseconds' }),
  userVerification: OneOf(['preferred']),
  allowCredentials: Type.Array(PasskeyDescriptor),
})

/** The passkey for a browser to create: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const PasskeyWish = closedObject({
  challenge: Type.String(),
  rp: closedObject({ id: Type.String(), name: Type.String() }),
  user: closedObject({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(closedObject({ alg: Type.Integer(), type: OneOf(['public-key']) })),
  timeout: Type.Integer({ description: 'milliseconds' }),
  excludeCredentials: Type.Array(PasskeyDescriptor),
  authenticatorSelection: closedObject({
    residentKey: OneOf(['discouraged']),
    requireResidentKey: Type.Boolean(),
    userVerification: OneOf(['preferred']),
  }),
  attestation: OneOf(['none']),
})

/** A browser's response to a challenge: the result of `navigator.credentials.get`. */
export const PasskeyAnswer = closedObject({
  id: Base64Url(2048),
  response: closedObject({
    clientDataJSON: Base64Url(4096),
    authenticatorData: Base64Url(4096),
    signature: Base64Url(4096),
  }),
})

/** The second factor, if one is set up: one of the two. */
export const SecondFactorProof = {
  code: Type.Optional(SecondFactorCode),
  passkey: Type.Optional(PasskeyAnswer),
}

/** A browser's new passkey: the result of `navigator.credentials.create`. */
export const NewPasskey = closedObject({
  id: Base64Url(2048),
  response: closedObject({
    clientDataJSON: Base64Url(4096),
    attestationObject: Base64Url(16_384),
    transports: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { maxItems: 10 })),
  }),
})

export const SecondFactors = Type.Array(OneOf(['app', 'passkey']), {
  description: 'the second factors of the account, once the first step succeeded; a recovery code also works',
})

const MailedToken = Type.String({ minLength: 1, maxLength: 200, description: 'the token of the mailed link' })

export const signIn = endpoint({
  id: 'signIn',
  method: 'POST',
  path: '/sign-in/email',
  scope: 'public',
  about: 'instance',
  origin: 'extension',
  doors: ['auth'],
  summary: 'Sign in with email and password; sets the session cookie, or requires the second factor.',
  description:
    'With `secondFactorRequired: true` the user is not signed in yet and `user` is null: a ticket cookie (5 minutes, 5 attempts) lets `/sign-in/second-factor` continue. An unknown address and a wrong password get the same response. After too many failures no password is checked, not even the correct one: 429 with `Retry-After`. Waiting helps, and so does confirming the browser by mail (`/browser-confirmation`). A browser from which the account has signed in before has its own limit.',
  body: closedObject({ email: Type.String({ minLength: 1, maxLength: 320 }), password: Password }),
  reply: one(
    closedObject({
      user: Nullable(userFields, 'null while the second factor is missing'),
      secondFactorRequired: Type.Boolean(),
      secondFactors: SecondFactors,
    }),
  ),
})

export const signInWithSecondFactor = endpoint({
  id: 'signInWithSecondFactor',
  method: 'POST',
  path: '/sign-in/second-factor',
  scope: 'public',
  about: 'instance',
  origin: 'extension',
  doors: ['auth'],
  summary: 'Finish signing in with a code of the authenticator app, or with a recovery code; sets the session cookie.',
  description:
    'Each code works once. 401 with a message: a wrong code can be tried again; without a ticket, or once it is used up or older than 5 minutes, signing in starts again with the password.',
  body: closedObject({ code: SecondFactorCode }),
  reply: one(
    closedObject({
      user: SignedInUser,
      recoveryCodesLeft: Type.Integer({ minimum: 0, description: 'warn the person when few are left' }),
    }),
  ),
})

export const startPasskeySignIn = endpoint({
  id: 'startPasskeySignIn',
  method: 'POST',
  path: '/sign-in/passkey/options',
  scope: 'public',
  about: 'instance',
  origin: 'extension',
  doors: ['auth'],
  summary: 'Get the WebAuthn challenge to finish signing in with a passkey.',
  description:
    'Takes the ticket cookie of the first step. A new challenge replaces the previous one. Without a valid ticket: 401; without a passkey: 409.',
  reply: one(PasskeyOptions),
})

export const signInWithPasskey = endpoint({
  id: 'signInWithPasskey',
  method: 'POST',
  path: '/sign-in/passkey',
  scope: 'public',
  about: 'instance',
  origin: 'extension',
  doors: ['auth'],
  summary: 'Finish signing in with a passkey; sets the session cookie.',
  description:
    'Each challenge accepts one response. Wrong responses count against the ticket and the account like wrong codes.',
  body: closedObject({ passkey: PasskeyAnswer }),
  reply: one(closedObject({ user: SignedInUser })),
})

export const signOut = endpoint({
  id: 'signOut',
  method: 'POST',
  path: '/sign-out',
  scope: 'public',
  about: 'instance',
  origin: 'extension',
  doors: ['auth'],
  summary: 'Sign out: ends the session.',
  reply: one(
    closedObject({
      signedOut: Type.Boolean(),
      continueAt: NullableString('where the identity provider signs the browser out as well: go there; null: nowhere'),
    }),
  ),
})

export const requestPasswordReset = endpoint({
  id: 'requestPasswordReset',
  method: 'POST',
  path: '/password-reset',
  scope: 'public',
  about: 'instance',
  origin: 'extension',
  doors: ['auth'],
  summary: 'Mail a link for a new password, if the address has an account.',
  description:
    'The response is the same, after the same work, whether or not there is an account. The link opens `/password-reset#token=...` of the web interface, lasts an hour and works once. Repeating the request within the hour sends the same link again, in at most 3 emails.',
  body: closedObject({ email: Email }),
  reply: one(closedObject({ requested: Type.Boolean() })),
  conflicts: [
    "This instance is in safe mode and sends no email, so it can't send a link for a new password. The operator can set a password: npm run operator -- reset-password <email>.",
  ],
})

export const inspectPasswordReset = endpoint({
  id: 'inspectPasswordReset',
  method: 'POST',
  path: '/password-reset/inspect',
  scope: 'public',
  about: 'instance',
  origin: 'extension',
  doors: ['auth'],
  summary: 'Read what an emailed link is for. Changes nothing.',
  description: 'A link that is unknown, used or too old: 404.',
  body: closedObject({ token: MailedToken }),
  reply: one(
    closedObject({
      email: Type.String(),
      purpose: OneOf(['reset', 'welcome'], {
        description: '`welcome`: a new account that chooses its name and first password',
      }),
      name: Type.String({ description: 'the name that the account has now' }),
      expiresAt: Timestamp(),
    }),
  ),
})

export const resetPassword = endpoint({
  id: 'resetPassword',
  method: 'POST',
  path: '/password-reset/confirm',
  scope: 'public',
  about: 'instance',
  origin: 'extension',
  doors: ['auth'],
  summary: 'Set a new password with the token of the mailed link; ends every session of the account.',
  description:
    'This does not sign in: sign in afterwards, with the second factor if there is one. `name` is used for a `welcome` link only. An invalid link: 404; a password that may not be used: 422, and the link still works.',
  body: closedObject({ token: MailedToken, password: Password, name: Type.Optional(Line(200)) }),
  reply: one(closedObject({ reset: Type.Boolean(), email: Type.String() })),
})

export const requestBrowserConfirmation = endpoint({
  id: 'requestBrowserConfirmation',
  method: 'POST',
  path: '/browser-confirmation',
  scope: 'public',
  about: 'instance',
  origin: 'extension',
  doors: ['auth'],
  summary:
    'Mail a link that confirms a browser, if the address has an account: for signing in after too many failures.',
  description:
    'The response is the same, after the same work, whether or not there is an account. The link opens `/sign-in/confirm#token=...` of the web interface, lasts an hour and works once. Repeating the request within the hour sends the same link again, in at most 3 emails.',
  body: closedObject({ email: Email }),
  reply: one(closedObject({ requested: Type.Boolean() })),
})

export const confirmBrowser = endpoint({
  id: 'confirmBrowser',
  method: 'POST',
  path: '/browser-confirmation/confirm',
  scope: 'public',
  about: 'instance',
  origin: 'extension',
  doors: ['auth'],
  summary: 'Make this browser one that the account knows, with the token of the mailed link; sets the device cookie.',
  description:
    'This does not sign in: sign in afterwards, with a separate limit for wrong passwords. An invalid link: 404.',
  body: closedObject({ token: MailedToken }),
  reply: one(
    closedObject({ confirmed: Type.Boolean(), email: Type.String({ description: 'the address to sign in with' }) }),
  ),
})
