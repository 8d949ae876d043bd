import { availableParallelism } from 'node:os'
import { invalid, unavailable } from '../../platform/errors.ts'
import { hashThreads } from './hash-threads.ts'

/** argon2id, 19 MiB, two passes, one lane (OWASP Password Storage; ASVS 11.4.2). */
const ARGON2 = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Of a password that nobody has, made as above. */
const STAND_IN = '$argon2id$v=19$m=19456,t=2,p=1$XEnVZpo+EuY/YXFYdKojhg$vfLA/A7Ge2rnyUZMiWv8+/kncKpLHVWMMulkYjSpxZY'
const MIN_LENGTH = 12
const MAX_LENGTH = 128
const MAX_RUNNING = Math.max(2, Math.min(4, availableParallelism()))
const MAX_WAITING = 32

/** Words that make a password guessable whatever surrounds them, when they are all of it. */
const GUESSED = /^(?:(?:password|passw0rd|qwerty|letmein|welcome|iloveyou|admin|sortie|changeme|123456789|abc123)[\d\W_]*)+$/i

/**
 * At most a few hashes at once and a short queue behind them: each takes 19 MiB and tens of milliseconds, and a flood of
 * sign-ins must not take the server with it (abuse case S7).
 */
export interface Passwords {
  /** @throws ApiError VALIDATION_ERROR when it may not be used, 503 when too many are being computed */
  hash(password: string, words?: readonly string[], field?: string): Promise<string>
  /** For a password that the operator set in the configuration, which has its own rules. */
  hashAsGiven(password: string): Promise<string>
  /** With no stored hash a stand-in is checked, so that the answer takes as long; it is always false. */
  verify(stored: string | null | undefined, password: string): Promise<boolean>
}

/** @param processes how many processes of this machine share what it bears */
export const createPasswords = (processes = 1): Passwords => {
  const maxRunning = Math.max(1, Math.floor(MAX_RUNNING / processes))
  let running = 0
  const waiting: (() => void)[] = []
  const limited = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= maxRunning) {
      if (waiting.length >= MAX_WAITING) throw unavailable('Too many people sign in at this moment. Try again in a few seconds.', undefined, 3)
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
    }
    running++
    try {
      return await work()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
  const compute = hashThreads()
  const hash = (password: string) => limited(() => compute({ password, options: ARGON2 })) as Promise<string>
  return {
    hash: async (password, words = [], field = 'password') => hash(requireUsable(password, words, field)),
    hashAsGiven: (password) => hash(password.normalize('NFC')),
    verify: async (stored, password) => {
      if ([...password].length > MAX_LENGTH) return false
      const matches = await limited(() => compute({ password: password.normalize('NFC'), stored: stored ?? STAND_IN }))
      return matches === true && stored != null
    },
  }
}

/** 12 to 128 characters, of any kind; not one of the first that everybody tries (ASVS 6.2). */
const requireUsable = (password: string, words: readonly string[], field: string): string => {
  const normal = password.normalize('NFC')
  const length = [...normal].length
  if (length < MIN_LENGTH) throw invalid(`${field}: must have at least ${MIN_LENGTH} characters`)
  if (length > MAX_LENGTH) throw invalid(`${field}: must have at most ${MAX_LENGTH} characters`)
  const lower = normal.toLowerCase()
  const guessable = GUESSED.test(lower) || /^(.)\1+$/u.test(normal) || words.some((word) => word.length > 3 && lower === word.toLowerCase())
  if (guessable) throw invalid(`${field}: is one of the first that anybody would try; choose another`)
  return normal
}
