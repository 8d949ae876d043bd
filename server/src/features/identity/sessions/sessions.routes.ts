import * as account from '@sortie/contract/account.ts'
import * as contract from '@sortie/contract/sessions.ts'
import type { SignInMethod } from '../../../platform/auth/sign-in-method.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import { notFound, unauthorized } from '../../../platform/errors.ts'
import { type Platform, type Route, route } from '../../../platform/http/context.ts'
import type { Cookies } from '../../../platform/http/cookies.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { changeAccount } from '../accounts/account-change.service.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { deleteOwnSession, deleteSessionsOfUser, listSessions } from './sessions.queries.ts'
import { SESSION_IDLE_MS } from './sessions.service.ts'
import { DEAD_TICKET, signIn, signInWithSecondFactor, startPasskeySignIn, TICKET_LIFETIME_MS } from './sign-in.service.ts'
import { signOut } from './sign-out.service.ts'
import { originOf, setSignedInCookies } from './signed-in-cookies.ts'
import { describeDevice } from './user-agent.ts'

export interface SessionParts {
  passwords: Passwords
  /** Where the identity provider signs a browser out; undefined where it does not, or cannot say so now. */
  signOutAtProvider(platform: Platform, session: string, method: SignInMethod): Promise<string | undefined>
}

export const sessionRoutes = ({ passwords, signOutAtProvider }: SessionParts): Route[] => [
  route(contract.signIn, async (context) => {
    const { body, cookies } = context
    const result = await signIn(context, passwords, body, originOf(context))
    if ('ticket' in result) {
      cookies.set('ticket', result.ticket, TICKET_LIFETIME_MS / 1000)
      return { data: { user: null, secondFactorRequired: true, secondFactors: result.secondFactors } }
    }
    setSignedInCookies(cookies, result)
    return { data: { user: result.user, secondFactorRequired: false, secondFactors: [] } }
  }),

  route(contract.signInWithSecondFactor, async (context) => {
    const { body, cookies } = context
    const result = await signInWithSecondFactor(context, ticketOf(cookies), { code: body.code }, originOf(context))
    cookies.set('ticket', null)
    setSignedInCookies(cookies, result)
    return { data: { user: result.user, recoveryCodesLeft: result.recoveryCodesLeft } }
  }),

  route(contract.startPasskeySignIn, async (context) => ({ data: await startPasskeySignIn(context, ticketOf(context.cookies)) })),

  route(contract.signInWithPasskey, async (context) => {
    const { body, cookies } = context
    const result = await signInWithSecondFactor(context, ticketOf(cookies), { passkey: body.passkey }, originOf(context))
    cookies.set('ticket', null)
    setSignedInCookies(cookies, result)
    return { data: { user: result.user } }
  }),

  route(contract.signOut, async (context) => {
    const { person, cookies } = context
    const providerSession = person && (await signOut(context, person))
    cookies.set('sid', null)
    cookies.set('ticket', null)
    const continueAt = providerSession && (await signOutAtProvider(context, providerSession, person.method))
    return { data: { signedOut: true, continueAt: continueAt ?? null } }
  }),

  route(account.listSessions, async ({ db, clock, person }) => {
    const rows = await listSessions(db, person.userId, isoTime(clock.now()), idleSince(clock))
    const sessions = rows.map((row) => ({
      id: row.id,
      device: describeDevice(row.user_agent),
      userAgent: row.user_agent,
      address: row.address,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      expiresAt: row.expires_at,
      current: row.id === person.sessionId,
    }))
    return { data: sessions.sort((a, b) => Number(b.current) - Number(a.current)) }
  }),

  route(account.endSession, async ({ change, clock, person, params, cookies }) => {
    await changeAccount(change, person.userId, async (tx) => {
      if (!(await deleteOwnSession(tx, person.userId, params.sessionId))) throw notFound()
      await recordAudit(tx, { person }, clock, { action: 'session.ended', object: { type: 'session', id: params.sessionId } })
    })
    if (params.sessionId === person.sessionId) cookies.set('sid', null)
    return { data: { ended: true, id: params.sessionId } }
  }),

  route(account.endOtherSessions, async ({ change, clock, person }) => {
    const endedSessions = await changeAccount(change, person.userId, async (tx) => {
      const ended = await deleteSessionsOfUser(tx, person.userId, person.sessionId)
      if (ended > 0) await recordAudit(tx, { person }, clock, { action: 'session.others-ended', object: { type: 'user', id: person.userId }, after: { ended } })
      return ended
    })
    return { data: { endedSessions } }
  }),
]

const ticketOf = (cookies: Cookies): string => {
  const ticket = cookies.get('ticket')
  if (!ticket) throw unauthorized(DEAD_TICKET)
  return ticket
}

const idleSince = (clock: Clock) => isoTime(clock.now() - SESSION_IDLE_MS)
