import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbedded as start,
} from '@sortie/embedded-postgres/embedded.ts'
import { EmbeddedPostgresError, type Remedy, type Subject } from '@sortie/embedded-postgres/errors.ts'
import type { Config } from '../../config.ts'
import { ConfigurationError } from '../../errors.ts'
import type { Logger } from '../../log.ts'

/** Name of the user and of the database within the embedded Postgres. */
export const EMBEDDED_NAME = 'sortie'
/** Connections of one server in addition to those of its pool. */
const BESIDE_POOL = 10
const SERVERS = 9
const FOR_COMMANDS = 20
const connectionsFor = (poolSize: number) => (poolSize + BESIDE_POOL) * SERVERS + FOR_COMMANDS

/** What the embedded database may use: enough connections for nine servers on one directory and for commands. */
export const embeddedLimits = ({
  DATABASE_POOL_SIZE,
  DATABASE_MEMORY_MB,
}: Pick<Config, 'DATABASE_POOL_SIZE' | 'DATABASE_MEMORY_MB'>) => ({
  maxConnections: connectionsFor(DATABASE_POOL_SIZE),
  ...(DATABASE_MEMORY_MB !== undefined && { memoryMb: DATABASE_MEMORY_MB }),
})

const SETTINGS: Readonly<Record<Subject, string>> = {
  directory: 'DATA_DIR: ',
  programs: 'DATABASE_URL: ',
  files: 'STORAGE_PATH: ',
  backup: '',
}
const REMEDIES: Readonly<Record<Remedy, string>> = {
  'restore again': 'run "npm run operator -- restore" again; it starts over',
  'restore it': 'restore it with "npm run operator -- restore"',
  upgrade: 'see "Upgrading Postgres" in docs/operating/database/postgres.md',
}

/**
 * Starts the embedded database of a `DATA_DIR`, or shares the one that runs there.
 *
 * @param restoring for the restore itself: all other processes are refused until it is complete
 * @param mayPrepare false for operator commands, which leave the installation unchanged (O6)
 * @throws ConfigurationError if the directory cannot be used, with the reason
 */
export const startEmbedded = (
  dataDir: string,
  log: Logger,
  options: Pick<EmbeddedOptions, 'restoring' | 'mayPrepare' | 'maxConnections' | 'memoryMb'> = {},
): Promise<EmbeddedPostgres> =>
  namingSettings(() =>
    start({ directory: dataDir, name: EMBEDDED_NAME, log, maxConnections: connectionsFor(10), ...options }),
  )

/** Runs `work`; errors for the operator name the setting concerned. @throws ConfigurationError */
export const namingSettings = async <T>(work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error
    const remedy = error.remedy ? `; ${REMEDIES[error.remedy]}` : ''
    throw new ConfigurationError([`${SETTINGS[error.about]}${error.message}${remedy}`])
  }
}
