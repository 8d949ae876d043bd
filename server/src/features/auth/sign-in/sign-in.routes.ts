import * as contract from '@sortie/contract/account/sessions.ts'
import type { SignInMethod } from '../../../platform/auth/actor.ts'
import type { Platform } from '../../../platform/context.ts'
import { unauthorized } from '../../../platform/errors.ts'
import type { Cookies } from '../../../platform/http/answers/cookies.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { TICKET_LIFETIME_MS } from '../pending-sign-ins/pending-sign-ins.service.ts'
import { signOut } from '../sessions/sessions.service.ts'
import type { JoinByDomain } from './after-sign-in.ts'
import { DEAD_TICKET, signIn, signInWithSecondFactor, startPasskeySignIn } from './sign-in.service.ts'
import { originOf, setSignedInCookies } from './signed-in-cookies.ts'

export interface SignInParts {
  passwords: Passwords
  joinByDomain: JoinByDomain
  /**
   * The URL that signs a browser out at the identity provider; undefined if there is none, or the provider does not
   * respond.
   */
  signOutAtProvider(platform: Platform, session: string, method: SignInMethod): Promise<string | undefined>
}

export const signInRoutes = ({ passwords, joinByDomain, signOutAtProvider }: SignInParts): Route[] => [
  route(contract.signIn, async (context) => {
    const { body, cookies } = context
    const result = await signIn({ ...context, joinByDomain }, passwords, body, originOf(context))
    if ('ticket' in result) {
      cookies.set('ticket', result.ticket, TICKET_LIFETIME_MS / 1000)
      return { data: { user: null, secondFactorRequired: true, secondFactors: result.secondFactors } }
    }
    setSignedInCookies(cookies, result)
    return { data: { user: result.user, secondFactorRequired: false, secondFactors: [] } }
  }),

  route(contract.signInWithSecondFactor, async (context) => {
    const { body, cookies } = context
    const result = await signInWithSecondFactor(
      { ...context, joinByDomain },
      ticketOf(cookies),
      { code: body.code },
      originOf(context),
    )
    cookies.set('ticket', null)
    setSignedInCookies(cookies, result)
    return { data: { user: result.user, recoveryCodesLeft: result.recoveryCodesLeft } }
  }),

  route(contract.startPasskeySignIn, async (context) => ({
    data: await startPasskeySignIn(context, ticketOf(context.cookies)),
  })),

  route(contract.signInWithPasskey, async (context) => {
    const { body, cookies } = context
    const result = await signInWithSecondFactor(
      { ...context, joinByDomain },
      ticketOf(cookies),
      { passkey: body.passkey },
      originOf(context),
    )
    cookies.set('ticket', null)
    setSignedInCookies(cookies, result)
    return { data: { user: result.user } }
  }),

  route(contract.signOut, async (context) => {
    const { person, cookies } = context
    const providerSession = person && (await signOut(context, person))
    cookies.set('sid', null)
    cookies.set('ticket', null)
    const continueAt =
      providerSession && (await context.outside(() => signOutAtProvider(context, providerSession, person.method)))
    return { data: { signedOut: true, continueAt: continueAt ?? null } }
  }),
]

const ticketOf = (cookies: Cookies): string => {
  const ticket = cookies.get('ticket')
  if (!ticket) throw unauthorized(DEAD_TICKET)
  return ticket
}
