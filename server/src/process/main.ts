import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddedPostgres } from '@sortie/embedded-postgres/embedded.ts'
import { readConfig } from '../platform/config.ts'
import { startEmbedded } from '../platform/database/embedded.ts'
import { ConfigurationError } from '../platform/errors.ts'
import { createLogger, type Logger } from '../platform/log.ts'
import { announce } from './announce.ts'
import { createServing } from './serve.ts'
import { stopOnSignals } from './signals.ts'

/** EX_CONFIG of sysexits.h. */
const EXIT_CONFIGURATION = 78
/** A process that crashes has this long to stop the embedded Postgres. */
const CRASH_TIMEOUT_MS = 5_000

const start = async (): Promise<void> => {
  const config = readConfig()
  const log = createLogger(config.LOG_LEVEL)
  let embedded: Promise<EmbeddedPostgres | undefined> = Promise.resolve(undefined)
  let stopServing = async () => undefined as void
  const stopEmbedded = async () => (await embedded.catch(() => undefined))?.stop()
  const stop = async () => {
    await stopServing()
    await stopEmbedded()
  }
  endOnCrash(log, stopEmbedded)
  const stopping = stopOnSignals(log, stop)
  try {
    prepareDirectory('STORAGE_PATH', config.STORAGE_PATH)
    if (!config.DATABASE_URL) embedded = startEmbedded(config.DATA_DIR, log)
    const settings = (await embedded)?.settings ?? { connectionString: config.DATABASE_URL as string }
    const serving = await createServing(config, log, settings)
    if (stopping.aborted) return
    stopServing = serving.stop
    const { port, isFirstStart } = await serving.start()
    announce(config, port, isFirstStart)
  } catch (error) {
    // What fails in a start that is being stopped fails because of that.
    if (stopping.aborted) return
    await stop().catch(() => undefined)
    throw error
  }
}

/** @throws ConfigurationError */
const prepareDirectory = (variable: string, directory: string): void => {
  try {
    mkdirSync(directory, { recursive: true })
  } catch (error) {
    throw new ConfigurationError([`${variable}: the directory ${directory} cannot be made (${(error as NodeJS.ErrnoException).code})`])
  }
}

/** An error that nothing caught ends the process with 1, and leaves no Postgres behind. */
const endOnCrash = (log: Logger, stopEmbedded: () => Promise<void>): void => {
  const end = async (cause: Error) => {
    log.fatal({ err: cause }, 'an error that nothing caught: the process ends')
    try {
      await Promise.race([stopEmbedded(), sleep(CRASH_TIMEOUT_MS)])
    } catch (error) {
      log.error({ err: error }, 'the embedded Postgres could not be stopped')
    }
    process.exit(1)
  }
  process.once('uncaughtException', (cause) => void end(cause))
}

const fail = (error: unknown): void => {
  if (error instanceof ConfigurationError) {
    for (const line of error.lines) process.stderr.write(`sortie: ${line}\n`)
    process.exit(EXIT_CONFIGURATION)
  }
  process.stderr.write(`sortie: could not start: ${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
}

// Whatever keeps the log from being written (a closed terminal, a reader that has ended, a full disk) is no reason to stop
// serving, nor to fail while stopping; and there is nowhere left to tell it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

try {
  await start()
} catch (error) {
  fail(error)
}
