import Type from 'typebox'
import { endpoint, Id, one, strict } from './endpoint.ts'

export const SignedInUser = strict({ id: Id('usr'), name: Type.String(), email: Type.String() })

/** Passwords are checked for length before anything is computed from them. */
const Password = Type.String({ minLength: 1, maxLength: 1024 })

export const signIn = endpoint({
  id: 'signIn',
  method: 'POST',
  path: '/sign-in/email',
  scope: 'public',
  origin: 'extension',
  doors: ['auth'],
  summary: 'Sign in with address and password; sets the session cookie.',
  description: 'Unknown address and wrong password answer alike. After too many failures: 429 with `Retry-After`.',
  body: strict({ email: Type.String({ minLength: 1, maxLength: 320 }), password: Password }),
  reply: one(strict({ user: SignedInUser })),
})

export const signOut = endpoint({
  id: 'signOut',
  method: 'POST',
  path: '/sign-out',
  scope: 'public',
  origin: 'extension',
  doors: ['auth'],
  summary: 'End the session, here and in the database.',
  reply: one(strict({ signedOut: Type.Boolean() })),
})
