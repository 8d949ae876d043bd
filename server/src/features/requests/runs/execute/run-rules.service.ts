import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../../../../platform/auth/actor.ts'
import { isPermitted } from '../../../../platform/auth/guard.ts'
import type { Platform } from '../../../../platform/context.ts'
import { enterView, type Transaction, transaction } from '../../../../platform/database/transaction.ts'
import { conflict, forbidden, invalid, notFound } from '../../../../platform/errors.ts'
import type { ActorLocks } from '../../../../platform/feature.ts'
import type { Check } from '../../../../platform/outbound/outbound.ts'
import {
  createCurrentRules,
  type GetCurrentRules,
  readEngagementRules,
} from '../../../connection-rules/current-rules.ts'
import {
  type CurrentRules,
  type Destined,
  NotPermittedError,
  requirePermitted,
} from '../../../connection-rules/permit.ts'
import { findDetails } from '../../../engagements/details/details.queries.ts'
import type { Header } from '../../sending/build/headers.ts'
import { writtenHost } from '../../sending/build/host-header.ts'
import type { Address } from '../../sending/build/written-address.ts'
import { RunRefused } from '../../sending/failures.ts'

export const NOT_ACTIVE = 'This engagement is not active: nothing is sent from it.'
const NO_RIGHT = 'The user who started it no longer has permission.'
const NO_HOST = 'it names no host'
const WATCH_MS = 1_000

/** The sender of a run, by whose ids permissions are read again. */
export type Sender = Pick<Actor, 'kind' | 'id' | 'organizationId' | 'address'>

/** @throws ApiError NOT_FOUND, CONFLICT outside testing hours or if the engagement is not active */
export const requireSending = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  now: number,
  retestId?: string,
): Promise<CurrentRules> => {
  const current = await readEngagementRules(tx, organizationId, engagementId, now, retestId)
  if (current.stop !== null)
    throw (await findDetails(tx, organizationId, engagementId)) ? conflict(NOT_ACTIVE) : notFound()
  if (current.outsideHours !== null) throw conflict(current.outsideHours)
  return current
}

const mayOverride = (actor: Pick<Actor, 'kind' | 'role' | 'scopes'>): boolean =>
  actor.kind === 'user' && isPermitted(actor, { role: 'admin' })

/**
 * Without an engagement, no scope rules, hours or status limit a request (finding T8). The owner and admins may send it
 * with a reason, as with a scan override.
 *
 * @throws ApiError FORBIDDEN, VALIDATION_ERROR without a reason, or with one if there is an engagement
 */
export const requireOverride = (
  actor: Actor,
  engagementId: string | null,
  override: { reason: string } | null,
): void => {
  if (engagementId !== null) {
    if (override) throw invalid('override: is for what is sent without an engagement')
    return
  }
  if (!mayOverride(actor)) {
    throw forbidden(
      'Only the owner or an admin may send without an engagement, and in the web interface only: name an engagement in engagementId.',
    )
  }
  if (!override) throw invalid('override: say why it is sent without an engagement, or name one in engagementId')
}

/** Reads the current rules of a run: those of its engagement, as long as its sender has permission to send. */
export const createRunRules = (
  { scopedTo, clock }: Pick<Platform, 'scopedTo' | 'clock'>,
  actors: ActorLocks,
  sender: Sender,
  { engagementId, retestId }: { engagementId: string | null; retestId: string | undefined },
  signal: AbortSignal,
): GetCurrentRules =>
  createCurrentRules({
    clock,
    signal,
    read: () =>
      transaction(scopedTo(sender.organizationId), (tx) =>
        readRunRules(tx, actors, sender, engagementId, clock.now(), retestId),
      ),
  })

const readRunRules = async (
  tx: Transaction,
  actors: ActorLocks,
  sender: Sender,
  engagementId: string | null,
  now: number,
  retestId: string | undefined,
): Promise<CurrentRules> => {
  const actor = await (sender.kind === 'key' ? actors.lockKey(tx, sender) : actors.lockMember(tx, sender))
  const mayNot = { rules: undefined, stop: NO_RIGHT, outsideHours: null }
  if (!actor || !isPermitted(actor, { scope: 'api-requests:write' })) return mayNot
  if (engagementId === null) return mayOverride(actor) ? { ...mayNot, stop: null } : mayNot
  await enterView(tx, actor.viewer)
  return readEngagementRules(tx, sender.organizationId, engagementId, now, retestId)
}

/** Checks everything that a run sends against the current rules. */
export interface RunPermits {
  /**
   * Evaluates a hop by its stated destination: its URL, with its path as sent and as resolved, and the `Host` header.
   *
   * @returns the check of its connections, once their addresses are known
   * @throws RunRefused
   */
  checkHop(address: Address, headers: readonly Header[]): Promise<Check>
  /** Checks the last hop again every second, until `ended` is aborted or it may not go on. */
  watch(ended: AbortSignal, stop: (reason: unknown) => void): Promise<void>
}

export const createRunPermits = (getRules: GetCurrentRules): RunPermits => {
  let askAgain = async (): Promise<void> => undefined
  return {
    checkHop: async ({ url, path }, headers) => {
      const named = writtenHost(url, headers)
      const ask = async (addresses: readonly string[]): Promise<void> => {
        const current = await getRules()
        permit(current, { host: url.hostname, url, path, addresses }, 'it')
        if (named === undefined && current.rules)
          throw new RunRefused(`the scope rules cannot judge the Host header: ${NO_HOST}`)
        for (const each of named ? atBothPorts(named, url) : [])
          permit(current, { host: each.hostname, url: each, path }, 'the Host header')
      }
      askAgain = () => ask([])
      await ask([])
      return async ({ host, port, addresses, isProxy }) => {
        const proxied = { number: port, protocol: 'tcp' } as const
        if (isProxy) return permit(await getRules(), { host, port: proxied, addresses, isProxy }, 'the proxy')
        askAgain = () => ask(addresses)
        await ask(addresses)
      }
    },
    watch: async (ended, stop) => {
      while (!ended.aborted) {
        await sleep(WATCH_MS, undefined, { signal: ended, ref: false }).catch(() => undefined)
        if (ended.aborted) return
        try {
          await askAgain()
        } catch (error) {
          return stop(
            error instanceof RunRefused ? new RunRefused(`it was stopped on its way: ${error.message}`) : error,
          )
        }
      }
    },
  }
}

/** What a `Host` header names, at its port and at the port of the connection: servers ignore the port of the header. */
const atBothPorts = (named: URL, { port }: URL): URL[] => {
  if (named.port === port) return [named]
  const reached = new URL(named)
  reached.port = port
  return [named, reached]
}

/** @throws RunRefused */
const permit = (current: CurrentRules, destined: Destined, what: string): void => {
  try {
    requirePermitted(current, destined)
  } catch (error) {
    if (!(error instanceof NotPermittedError)) throw error
    const { kind, message } = error
    if (kind === 'ended') throw new RunRefused(message)
    throw new RunRefused(
      kind === 'out'
        ? `the scope rules refuse ${what}: ${message}`
        : `the scope rules cannot judge ${what}: ${message}`,
    )
  }
}
