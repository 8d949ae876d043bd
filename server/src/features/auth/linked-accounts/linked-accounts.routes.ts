import * as contract from '@sortie/contract/account/linked-accounts.ts'
import type { Person } from '../../../platform/auth/actor.ts'
import { isDelegated } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Outside } from '../../../platform/concurrency/outside.ts'
import type { Writer } from '../../../platform/context.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import type { Cookies } from '../../../platform/http/answers/cookies.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { CONFIRMATION_LIFETIME_MS, confirmPassword } from '../accounts/confirm-password.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { TICKET_LIFETIME_MS } from '../pending-sign-ins/pending-sign-ins.service.ts'
import type { JoinByDomain } from '../sign-in/after-sign-in.ts'
import { passwordsOpenFor } from '../sign-in/sign-in-mode.ts'
import { originOf, setSignedInCookies } from '../sign-in/signed-in-cookies.ts'
import { FLOW_LIFETIME_MS, finishFlow, startFlow } from './flows.service.ts'
import { findIdentityOfUser } from './linked-accounts.queries.ts'
import {
  confirmWithProvider,
  linkProvider,
  type OnProviderProfile,
  requireSameSession,
  signInWithProvider,
} from './linked-accounts.service.ts'
import type { Provider } from './providers/provider.ts'

type Departing = Writer & { person: Person | undefined; cookies: Cookies; outside: Outside }

export interface IdentityParts {
  passwords: Passwords
  /** Undefined with `AUTH_PROVIDER=local`. */
  provider: Provider | undefined
  joinByDomain: JoinByDomain
  onProviderProfile: OnProviderProfile
}

export const identityRoutes = ({ passwords, provider, joinByDomain, onProviderProfile }: IdentityParts): Route[] => {
  const required = (): Provider => {
    if (!provider) throw notFound('This server has no identity provider: people sign in with a password.')
    return provider
  }
  const depart = async (context: Departing, wanted: Omit<Parameters<typeof startFlow>[2], 'person'>) => {
    const { url, browserToken } = await startFlow(
      context,
      required(),
      { ...wanted, person: context.person },
      context.cookies.get('flow'),
    )
    context.cookies.set('flow', browserToken, FLOW_LIFETIME_MS / 1000)
    return { data: { url } }
  }
  return [
    route(contract.getSignInMode, async ({ config }) => ({
      data: {
        provider: config.AUTH_PROVIDER,
        providerName: provider?.name ?? null,
        passwordsFor: passwordsOpenFor(config),
      },
    })),

    route(contract.startSingleSignOn, (context) => depart(context, { purpose: 'sign-in', next: context.body.next })),

    route(contract.finishSingleSignOn, async (context) => {
      const { body, cookies, person } = context
      const { flow, profile } = await finishFlow(context, required(), body.query, cookies.get('flow'))
      if (flow.purpose === 'sign-in') {
        const result = await signInWithProvider(
          { ...context, joinByDomain },
          required(),
          profile,
          originOf(context),
          onProviderProfile,
        )
        if ('ticket' in result) {
          cookies.set('ticket', result.ticket, TICKET_LIFETIME_MS / 1000)
          return {
            data: {
              outcome: 'second-factor' as const,
              user: null,
              secondFactors: result.secondFactors,
              next: flow.next,
            },
          }
        }
        setSignedInCookies(cookies, result)
        return { data: { outcome: 'signed-in' as const, user: result.user, secondFactors: [], next: flow.next } }
      }
      const asker = requireSameSession(person, flow.sessionId)
      const token =
        flow.purpose === 'link'
          ? await linkProvider(context, required(), profile, asker, context, onProviderProfile)
          : await confirmWithProvider(context, required(), profile, asker, context, flow.startedAtMs)
      cookies.set('sid', token)
      const user = { id: asker.userId, name: asker.name, email: asker.email }
      return {
        data: {
          outcome: flow.purpose === 'link' ? ('linked' as const) : ('confirmed' as const),
          user,
          secondFactors: [],
          next: flow.next,
        },
      }
    }),

    route(contract.getIdentity, async ({ db, clock, person }) => {
      const row = provider && (await findIdentityOfUser(db, person.userId, provider.issuer))
      const until = person.confirmedAt === null ? 0 : Date.parse(person.confirmedAt) + CONFIRMATION_LIFETIME_MS
      return {
        data: {
          providerName: provider?.name ?? null,
          identity: row
            ? { subject: row.subject, email: row.email, linkedAt: row.linked_at, lastUsedAt: row.last_used_at }
            : null,
          confirmedUntil: until > clock.now() ? isoTime(until) : null,
          confirmsBy: isDelegated(person.method) ? ('provider' as const) : ('password' as const),
        },
      }
    }),

    route(contract.startLinking, async (context) => {
      const { db, person, body } = context
      await confirmPassword(context, passwords, person.userId, body.password)
      if (await findIdentityOfUser(db, person.userId, required().issuer))
        throw conflict('This account is already linked.')
      return depart(context, { purpose: 'link', next: '/account/profile' })
    }),

    route(contract.startConfirming, async (context) => {
      if (!isDelegated(context.person.method))
        throw conflict('This session was started with a password: confirm with the password.')
      return depart(context, { purpose: 'confirm', next: context.body.next })
    }),
  ]
}
