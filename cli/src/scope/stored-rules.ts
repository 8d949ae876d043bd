import { createHash } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Output } from '@sortie/client/calls.ts'
import { ApiError } from '@sortie/client/errors.ts'
import type { Session } from '../account/session.ts'
import type { Environment } from '../program/environment.ts'
import { isMissing, readPrivateFile, writePrivateFile } from '../program/private-files.ts'
import type { ScopeRule } from './server-rules.ts'

/** Rules, hours and status of an engagement, as the server last showed them. */
export interface StoredRules {
  version: 1
  instance: string
  engagementId: string
  /** SHA-256 of the key that read them: another key may see other engagements. */
  keyDigest: string
  readAt: string
  status: Output<'getEngagement'>['data']['status']
  startsOn: string | null
  endsOn: string | null
  testingHours: Output<'getEngagementDetails'>['data']['testingHours']
  rules: ScopeRule[]
}

/** Stored rules decide for this long. */
const VALID_MS = 24 * 60 * 60 * 1000
/** Rows in one request: the most that the API takes. */
const ROWS_AT_ONCE = 100
/** Without all answers after this many milliseconds, nothing is stored. */
const ANSWER_MS = 30_000
/** Characters of the digest in the name of a file. */
const NAME_LENGTH = 32

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const directoryOf = ({ stateDirectory }: Environment): string => path.join(stateDirectory, 'rules')

const fileOf = (environment: Environment, instance: string, engagementId: string): string =>
  path.join(directoryOf(environment), `${digestOf(`${instance}\n${engagementId}`).slice(0, NAME_LENGTH)}.json`)

/**
 * Reads rules, hours and status, and stores them. An engagement that the key does not see any more is forgotten.
 *
 * @returns undefined if they cannot be read as a whole, or the disk does not take them
 */
export const storeRules = async (
  environment: Environment,
  session: Session,
  engagementId: string,
): Promise<StoredRules | undefined> => {
  try {
    const stored = await readRules(session, engagementId)
    removeOld(environment)
    writePrivateFile(fileOf(environment, session.address, engagementId), JSON.stringify(stored))
    return stored
  } catch (error) {
    if (error instanceof ApiError && [401, 403, 404].includes(error.statusCode))
      rmSync(fileOf(environment, session.address, engagementId), { force: true })
    return undefined
  }
}

const readRules = async ({ api, address, key }: Session, engagementId: string): Promise<StoredRules> => {
  const readAt = new Date().toISOString()
  const signal = AbortSignal.timeout(ANSWER_MS)
  const [{ data: engagement }, { data: details }, rules] = await Promise.all([
    api.getEngagement({ params: { engagementId } }, { signal }),
    api.getEngagementDetails({ params: { engagementId } }, { signal }),
    listRules(api, engagementId, signal),
  ])
  const { startsOn, endsOn, testingHours } = details
  const { status } = engagement
  const of = { version: 1, instance: address, engagementId, keyDigest: digestOf(key), readAt } as const
  return { ...of, status, startsOn, endsOn, testingHours, rules }
}

const listRules = async (api: Session['api'], engagementId: string, signal: AbortSignal): Promise<ScopeRule[]> => {
  const rules: ScopeRule[] = []
  let cursor: string | undefined
  do {
    const { data, meta } = await api.listScopeRules(
      { query: { engagementId, perPage: ROWS_AT_ONCE, ...(cursor !== undefined && { cursor }) } },
      { signal },
    )
    rules.push(...data.map(({ id, effect, kind, pattern }) => ({ id, effect, kind, pattern })))
    cursor = meta.nextCursor ?? undefined
  } while (cursor !== undefined)
  return rules
}

/** @returns undefined if none are stored, or they are older than a day, of another key, or damaged */
export const findStoredRules = (
  environment: Environment,
  { address, key }: Session,
  engagementId: string,
): StoredRules | undefined => {
  const text = readPrivateFile(fileOf(environment, address, engagementId))
  if (text === undefined) return undefined
  try {
    const stored: StoredRules = JSON.parse(text)
    const age = Date.now() - Date.parse(stored.readAt)
    // A clock that was set back would make old rules young: a time to come is not believed.
    const isValid = stored.version === 1 && age >= 0 && age <= VALID_MS
    const isOwn =
      stored.instance === address && stored.engagementId === engagementId && stored.keyDigest === digestOf(key)
    return isValid && isOwn ? stored : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Removes the rules of every engagement: for the end of a sign-in. */
export const forgetRules = (environment: Environment): void =>
  rmSync(directoryOf(environment), { recursive: true, force: true })

/** Rules that decide nothing any more. */
const removeOld = (environment: Environment): void => {
  const directory = directoryOf(environment)
  try {
    for (const name of readdirSync(directory)) {
      const file = path.join(directory, name)
      if (Date.now() - statSync(file).mtimeMs > VALID_MS) rmSync(file, { force: true })
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** `12 minutes`, `3 hours` */
export const ageOf = ({ readAt }: StoredRules): string => {
  const age = Date.now() - Date.parse(readAt)
  const [count, unit] = age < HOUR_MS ? [Math.floor(age / MINUTE_MS), 'minute'] : [Math.floor(age / HOUR_MS), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
