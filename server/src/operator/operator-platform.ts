import { createPasswords } from '../features/auth/passwords/passwords.ts'
import { createFirstOrganization } from '../features/instance/first-start.ts'
import { systemClock } from '../platform/clock.ts'
import { readConfig } from '../platform/config.ts'
import type { Writer } from '../platform/context.ts'
import { deriveKeys } from '../platform/crypto.ts'
import { plainChange } from '../platform/database/change.ts'
import { requireSameDatabase } from '../platform/database/connection/database-instance.ts'
import { embeddedLimits, startEmbedded } from '../platform/database/connection/embedded.ts'
import { openDatabase } from '../platform/database/connection/open.ts'
import { withEveryRow } from '../platform/database/every-row.ts'
import { migrate, readMigrations } from '../platform/database/migrate.ts'
import { createStorage } from '../platform/files/open-storage.ts'
import { type Jobs, startJobs } from '../platform/jobs/jobs.ts'
import { createLogger } from '../platform/log.ts'
import { createSafeMode } from '../platform/safe-mode/safe-mode.ts'
import { NO_TRACES } from '../platform/traces/traces.ts'

const JOBS_STOP_TIMEOUT_MS = 2_000
/** The operator waits; a command on all data may take long. */
const QUERY_TIMEOUT_MS = 30 * 60_000

/**
 * Opens the database as the server does, next to it or before its first start, and closes it again. Shares an embedded
 * Postgres that already runs; starts and stops one that does not. Jobs are queued here and run by the server.
 *
 * @param settling for the step that makes a restored database ready to be served (`settleRestored`): as the last step
 *   of a restore, or on its own
 */
export const withPlatform = async (
  work: (platform: Writer) => Promise<void>,
  settling?: 'restore' | 'rekey',
): Promise<void> => {
  const config = readConfig()
  const log = createLogger('warn', { write: (line) => void process.stderr.write(line) })
  const restoring = settling === 'restore'
  const embedded = config.DATABASE_URL
    ? undefined
    : await startEmbedded(config.DATA_DIR, log, { ...embeddedLimits(config), restoring, mayPrepare: false })
  const settings = embedded?.settings ?? { connectionString: config.DATABASE_URL as string }
  const database = openDatabase(settings, (error) => log.warn({ err: error }, 'a database connection broke'), {
    statementTimeoutMs: QUERY_TIMEOUT_MS,
  })
  let jobs: Jobs | undefined
  try {
    const prepare = async () => {
      if (!settling) await requireSameDatabase(database.db, log)
      jobs = await startJobs(settings, log, [], false)
      await createFirstOrganization(database.db, config, systemClock, createPasswords(config))
    }
    const by = settling === undefined ? 'command' : settling === 'rekey' ? 'server' : 'restore'
    await migrate(settings, log, prepare, readMigrations(), by)
    const platform = {
      config,
      log,
      keys: deriveKeys(config.SESSION_SECRET),
      clock: systemClock,
      // Commands also concern what is in the trash of engagements: its files are moved, its secrets encrypted again.
      ...withEveryRow({ scopedTo: database.scopedTo }),
      change: plainChange(database.db),
      waitForTurn: database.waitForTurn,
      jobs: jobs as unknown as Jobs,
      safeMode: createSafeMode(database.prepared, config),
      storage: await createStorage(config),
      traces: NO_TRACES,
    }
    await work(platform)
  } finally {
    await jobs?.stop(JOBS_STOP_TIMEOUT_MS)
    await database.close()
    await embedded?.stop()
  }
}
