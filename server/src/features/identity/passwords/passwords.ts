import { availableParallelism } from 'node:os'
import type { Config } from '../../../platform/config.ts'
import { unavailable } from '../../../platform/errors.ts'
import { createThreadPool } from '../../../platform/threads.ts'
import type * as hashTask from './hash-task.ts'
import { isTooLong, requireUsable } from './password-rule.ts'
import { FORMER_DEFAULT_PASSWORD, PUBLISHED_PASSWORDS } from './published-passwords.ts'

/** argon2id, 19 MiB, two passes, one lane (OWASP Password Storage; ASVS 11.4.2). */
const ARGON2 = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Of a password that nobody has, made as above. */
const STAND_IN = '$argon2id$v=19$m=19456,t=2,p=1$XEnVZpo+EuY/YXFYdKojhg$vfLA/A7Ge2rnyUZMiWv8+/kncKpLHVWMMulkYjSpxZY'
const MAX_RUNNING = Math.max(2, Math.min(4, availableParallelism()))
/** Places behind those that are being computed. */
const MAX_WAITING = 32
/** Of those, the ones that no unknown browser takes. */
const KEPT_FOR_KNOWN = 8
/** At once of one party, waiting or being computed: a quarter of the places. */
const MAX_OF_PARTY = 8
/** Nobody waits longer for an answer. */
const MAX_WAIT_MS = 20_000
const MAX_MS = 10_000
/** A thread takes memory; one that has nothing to do for this long is ended. */
const IDLE_MS = 30_000
const BUSY = 'Too many people sign in at this moment. Try again in a few seconds.'

/** Who causes a hash without being signed in. */
export interface Guesser {
  /** What shares its places: a network, or the known browsers of an account. */
  party: string
  isKnown: boolean
}

/**
 * At most a few hashes at once and a short queue behind them: each takes 19 MiB and tens of milliseconds, and a flood of
 * sign-ins must not take the server with it (abuse case S7). They are computed in threads of a lower priority: where the
 * cores are busy, such a flood slows other sign-ins down and little else (target L11). A flood from one network takes a
 * quarter of the places, and whoever comes from elsewhere finds one (finding S37); one from many networks leaves places to
 * browsers that the account knows.
 */
export interface Passwords {
  /**
   * A new password, held to the one rule (`requireUsable`).
   *
   * @param texts names and addresses of the person and the organizations that it must not be made of
   * @throws ApiError VALIDATION_ERROR when it may not be used, 503 when too many are being computed
   */
  hash(password: string, texts: readonly string[], field?: string): Promise<string>
  /** Whether this is a hash of the default password of earlier versions. */
  isFormerDefault(stored: string): Promise<boolean>
  /**
   * Without a stored hash a stand-in is checked, so that the answer takes as long; the result is false. It is also false
   * for every password in `PUBLISHED_PASSWORDS` (finding S28).
   *
   * @param guesser undefined for a person in a session
   * @throws ApiError 503 when too many are being computed, or too many of this party
   */
  verify(stored: string | null | undefined, password: string, guesser?: Guesser): Promise<boolean>
}

/** @param config says what words of the operator a new password must not be made of */
export const createPasswords = (config: Pick<Config, 'FRONTEND_URL' | 'ORGANIZATION_NAME'>): Passwords => {
  const ofOperator = [new URL(config.FRONTEND_URL).hostname, config.ORGANIZATION_NAME]
  const threads = createThreadPool<typeof hashTask>(new URL('hash-task.ts', import.meta.url), {
    maxThreads: MAX_RUNNING,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    maxMs: MAX_MS,
    idleMs: IDLE_MS,
    isLowPriority: true,
    busy: BUSY,
  })
  const ofParty = new Map<string, number>()
  let underWay = 0
  const run = async (party: string, task: hashTask.HashTask, places: number) => {
    if (underWay >= MAX_RUNNING + places) throw tooMany()
    underWay++
    try {
      return await threads.run(party, 'runHashTask', task)
    } finally {
      underWay--
    }
  }
  const compute = async (task: hashTask.HashTask, guesser?: Guesser) => {
    if (!guesser) return run('', task, MAX_WAITING)
    const { party, isKnown } = guesser
    const already = ofParty.get(party) ?? 0
    if (already >= MAX_OF_PARTY) throw tooMany()
    ofParty.set(party, already + 1)
    try {
      return await run(party, task, isKnown ? MAX_WAITING : MAX_WAITING - KEPT_FOR_KNOWN)
    } finally {
      const left = (ofParty.get(party) ?? 1) - 1
      if (left > 0) ofParty.set(party, left)
      else ofParty.delete(party)
    }
  }
  const hash = (password: string) => compute({ password, options: ARGON2 }) as Promise<string>
  return {
    hash: async (password, texts, field = 'password') => hash(await requireUsable(password, [...ofOperator, ...texts], field)),
    isFormerDefault: async (stored) => (await compute({ password: FORMER_DEFAULT_PASSWORD, stored })) === true,
    verify: async (stored, password, guesser) => {
      if (isTooLong(password)) return false
      const normal = password.normalize('NFC')
      const matches = await compute({ password: normal, stored: stored ?? STAND_IN }, guesser)
      return matches === true && stored != null && !PUBLISHED_PASSWORDS.includes(normal)
    },
  }
}

const tooMany = () => unavailable(BUSY, undefined, 3)
