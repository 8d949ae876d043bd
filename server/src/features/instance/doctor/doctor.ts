import { setTimeout as sleep } from 'node:timers/promises'
import type { DoctorCheck } from '@sortie/contract/instance/doctor.ts'
import pg from 'pg'
import type { Static } from 'typebox'
import type { Config } from '../../../platform/config.ts'
import { findInsecureFlags, findSettingsFile } from '../../../platform/config/environment.ts'
import { deriveKeys } from '../../../platform/crypto.ts'
import type { ConnectionSettings } from '../../../platform/database/connection/open.ts'
import {
  DOCTOR_PATHS,
  doctorHeader,
  processFacts,
  type SeenRequest,
} from '../../../platform/http/server/doctor-route.ts'
import { type Check, type Examined, type Finding, NotChecked, type PublicAnswer, reasonOf, warning } from './check.ts'
import { DATABASE_CHECKS } from './database-checks.ts'
import { INSTANCE_CHECKS } from './instance-checks.ts'
import { MACHINE_CHECKS } from './machine-checks.ts'
import { CLAIMED_ADDRESS, PROXY_CHECKS } from './proxy-checks.ts'
import { ask } from './reach.ts'
import { SERVICE_CHECKS } from './service-checks.ts'

type CheckResult = Static<typeof DoctorCheck>

const CHECK_TIMEOUT_MS = 8_000
const CONNECT_TIMEOUT_MS = 3_000
const STATEMENT_TIMEOUT_MS = 2_000

const CHECKS: readonly Check[] = [
  ...MACHINE_CHECKS,
  ...PROXY_CHECKS,
  ...DATABASE_CHECKS,
  ...INSTANCE_CHECKS,
  ...SERVICE_CHECKS,
]

/**
 * Runs every check at the same time, each within its own time limit. A check that fails or hangs is a line of the
 * report and ends nothing. Changes nothing: the connection to the database is read-only, and files that it writes to try
 * a directory are removed.
 *
 * @param database undefined if the embedded database does not run
 */
export const runDoctor = async (config: Config, database: ConnectionSettings | undefined): Promise<CheckResult[]> => {
  const session = openSession(database)
  const examined = examine(config, database, session)
  try {
    return await Promise.all(
      CHECKS.map(async (check) => ({ name: check.name, ...(await withinLimits(check, examined)) })),
    )
  } finally {
    await session.close()
  }
}

const withinLimits = async (check: Check, examined: Examined): Promise<Finding> => {
  const late = new AbortController()
  const result = check.run(examined).catch((error): Finding => {
    if (error instanceof NotChecked)
      return warning(`Not checked: ${error.message}.`, 'fix what the other lines name, and run the checks again')
    return warning(`The check failed: ${reasonOf(error)}.`, 'fix what the message names, and run the checks again')
  })
  try {
    return await Promise.race([
      result,
      sleep(CHECK_TIMEOUT_MS, undefined, { signal: late.signal }).then(() =>
        warning(`The check did not end within ${CHECK_TIMEOUT_MS / 1000} seconds.`, 'run the checks again'),
      ),
    ])
  } finally {
    late.abort()
  }
}

const examine = (
  config: Config,
  database: ConnectionSettings | undefined,
  { connect, query }: Pick<Examined, 'connect' | 'query'>,
): Examined => {
  const keys = deriveKeys(config.SESSION_SECRET)
  const askPublicAddress = once(async (): Promise<PublicAnswer> => {
    const answer = await ask(`${config.FRONTEND_URL}${DOCTOR_PATHS.seen}`, {
      headers: { ...doctorHeader(keys, Date.now()), 'x-forwarded-for': CLAIMED_ADDRESS },
    })
    return { ...answer, seen: answer.status === 200 ? seenIn(answer.body) : undefined }
  })
  return {
    config,
    keys,
    database,
    connect,
    query,
    askPublicAddress,
    facts: once(async () => {
      const { seen } = await askPublicAddress().catch(() => ({ seen: undefined }))
      return { ...(seen ?? processFacts()), isOfServer: seen !== undefined }
    }),
    settingsFile: findSettingsFile(),
    insecureFlags: findInsecureFlags(),
  }
}

/** @returns undefined for an answer of another program */
const seenIn = (body: string): SeenRequest | undefined => {
  try {
    const seen = JSON.parse(body)
    return typeof seen?.peer === 'string' && typeof seen.peerPort === 'number' ? seen : undefined
  } catch {
    return undefined
  }
}

const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let asked: Promise<T> | undefined
  return () => (asked ??= work())
}

/** One read-only connection, which sees the rows of every organization. */
const openSession = (settings: ConnectionSettings | undefined) => {
  if (!settings) {
    const refuse = async (): Promise<never> => {
      throw new NotChecked('the embedded database does not run')
    }
    return { connect: refuse, query: refuse, close: async () => undefined }
  }
  const client = new pg.Client({
    ...settings,
    application_name: 'sortie-doctor',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + 500,
    options: `-c default_transaction_read_only=on -c statement_timeout=${STATEMENT_TIMEOUT_MS} -c lock_timeout=${STATEMENT_TIMEOUT_MS} -c TimeZone=UTC -c sortie.organization=* -c sortie.viewer=**`,
  })
  client.on('error', () => undefined)
  const connect = once(async () => {
    await client.connect()
    return client
  })
  /** The connection answers one statement after the other. */
  let last: Promise<unknown> = Promise.resolve()
  return {
    connect: async (): Promise<void> => void (await connect()),
    query: async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
      const connected = await connect().catch(() => {
        // The check of the database reports the reason.
        throw new NotChecked('the database does not answer')
      })
      const answer = last.then(() => connected.query(text, [...values]))
      last = answer.catch(() => undefined)
      return (await answer).rows as Row[]
    },
    close: async () => {
      await client.end().catch(() => undefined)
    },
  }
}
