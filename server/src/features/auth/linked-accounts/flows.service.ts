import type { Person } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Outside } from '../../../platform/concurrency/outside.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import { decrypt, encrypt, randomToken, sha256 } from '../../../platform/crypto.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { badRequest } from '../../../platform/errors.ts'
import * as query from './linked-accounts.queries.ts'
import type { Exchange, Provider, ProviderProfile } from './providers/provider.ts'

/** How long a user may stay at the provider. */
export const FLOW_LIFETIME_MS = 15 * 60 * 1000

export type Purpose = 'sign-in' | 'link' | 'confirm'

/** A sign-in at the provider that is in progress. */
interface Flow extends Exchange {
  purpose: Purpose
  /** A path of the web interface to open afterwards. */
  next: string
  /** The session that started the flow, if the flow changes one. */
  sessionId: string | undefined
  startedAtMs: number
}

/**
 * Sends a browser to the provider. The same browser (its cookie) must come back with this state, once.
 *
 * @param browserToken the flow cookie that the browser sent
 * @returns the URL to redirect to, and the flow cookie to set
 */
export const startFlow = async (
  { change, clock, keys, outside }: Writer & { outside: Outside },
  provider: Provider,
  wanted: { purpose: Purpose; next: string | undefined; person: Person | undefined },
  browserToken: string | undefined,
): Promise<{ url: string; browserToken: string }> => {
  const flow: Flow = {
    state: randomToken(),
    nonce: randomToken(),
    codeVerifier: randomToken(),
    isConfirmation: wanted.purpose === 'confirm',
    purpose: wanted.purpose,
    next: ownPath(wanted.next),
    sessionId: wanted.purpose === 'sign-in' ? undefined : wanted.person?.sessionId,
    startedAtMs: clock.now(),
  }
  const url = await outside(() => provider.begin(flow))
  const browser = browserToken ?? randomToken()
  const stateHash = sha256(flow.state)
  const row = {
    state_hash: stateHash,
    browser_hash: sha256(browser),
    sealed: encrypt(keys.encryption, JSON.stringify(flow), contextOf(stateHash)),
    expires_at: isoTime(clock.now() + FLOW_LIFETIME_MS),
  }
  await change((tx) => query.insertFlow(tx, row))
  return { url: url.toString(), browserToken: browser }
}

const NOT_EXPECTED =
  'No sign-in is waiting for this response of the identity provider: it was already used, took too long, or belongs to another browser. Start again.'

/**
 * Consumes the callback from the provider. The flow ends with any outcome: no response is evaluated twice.
 *
 * @throws ApiError BAD_REQUEST, FORBIDDEN, 503
 */
export const finishFlow = async (
  { db, clock, keys, outside }: Platform & { outside: Outside },
  provider: Provider,
  queryString: string,
  browserToken: string | undefined,
): Promise<{ flow: Flow; profile: ProviderProfile }> => {
  const answer = new URLSearchParams(queryString)
  const states = answer.getAll('state')
  if (states.length !== 1 || !states[0] || !browserToken) throw badRequest(NOT_EXPECTED)
  const stateHash = sha256(states[0])
  const taken = await query.consumeFlow(db, stateHash, sha256(browserToken), isoTime(clock.now()))
  if (!taken) throw badRequest(NOT_EXPECTED)
  const flow = JSON.parse(decrypt(keys.encryption, taken.sealed, contextOf(stateHash))) as Flow
  return { flow, profile: await outside(() => provider.finish(answer, flow)) }
}

const contextOf = (stateHash: Buffer) => `sign_in_flows/sealed/${stateHash.toString('hex')}`

/**
 * Accepts only known paths of the web interface (abuse case S15). The web interface checks the value by the same rule.
 */
export const ownPath = (wanted: string | undefined): string =>
  wanted !== undefined &&
  /^\/(?:o|account|device|instance|invitations|oauth)(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*(?:\?[A-Za-z0-9=&._~%+-]*)?(?:#token=[A-Za-z0-9_-]*)?$/.test(
    wanted,
  )
    ? wanted
    : '/'

export const deleteEndedFlows = ({ db, clock }: Platform): Promise<void> =>
  query.deleteEndedFlows(db, isoTime(clock.now()))

/** Ends all flows in progress: users who are at the provider have to start again. */
export const deleteEveryFlow = (tx: Transaction): Promise<void> => query.deleteEveryFlow(tx)
