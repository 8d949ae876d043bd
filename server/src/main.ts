import cluster from 'node:cluster'
import { mkdirSync } from 'node:fs'
import { announce } from './announce.ts'
import { type Config, readConfig } from './platform/config.ts'
import { startEmbedded } from './platform/database/embedded.ts'
import { ConfigurationError } from './platform/errors.ts'
import { createLogger, type Logger } from './platform/log.ts'
import { collectBehindEventLoop } from './platform/processes/collector-threads.ts'
import { linkToSupervisor } from './platform/processes/supervisor-link.ts'
import { stopOnSignals } from './signals.ts'

/* Each kind of process loads what it needs: the one that supervises others none of the features. */
const loadServing = async () => (await import('./serve.ts')).createServing
const loadSupervising = async () => (await import('./supervise.ts')).superviseServer

/** EX_CONFIG of sysexits.h. */
const EXIT_CONFIGURATION = 78

const start = async (): Promise<void> => {
  if (cluster.isWorker) return startSupervised()
  const config = readConfig()
  const log = createLogger(config.LOG_LEVEL)
  endOnUncaught(log)
  prepareDirectory('STORAGE_PATH', config.STORAGE_PATH)
  if (config.SORTIE_API_PROCESSES > 1 && config.SORTIE_ROLE !== 'worker') return (await loadSupervising())(config, log)
  return startAlone(config, log)
}

/** The whole server, or one role of it, in this process. */
const startAlone = async (config: Config, log: Logger): Promise<void> => {
  collectBehindEventLoop(log)
  const starting = config.DATABASE_URL ? undefined : startEmbedded(config.DATA_DIR, log)
  let stop = async () => (await starting)?.stop()
  stopOnSignals(log, () => stop())
  const createServing = await loadServing()
  const embedded = await starting
  const serving = await createServing({
    config,
    log,
    settings: embedded?.settings ?? { connectionString: config.DATABASE_URL as string },
    answers: config.SORTIE_ROLE !== 'worker',
    works: config.SORTIE_ROLE !== 'api',
    listensAtOnce: true,
  })
  stop = async () => {
    await serving.stop()
    await embedded?.stop()
  }
  try {
    const { port, isFirstStart } = await serving.start()
    announce(config, port, isFirstStart)
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
}

/** One of several processes, as the supervising one says. */
const startSupervised = async (): Promise<void> => {
  const link = linkToSupervisor()
  try {
    const config = readConfig()
    const log = createLogger(config.LOG_LEVEL)
    endOnUncaught(log)
    collectBehindEventLoop(log)
    let stop = async (_isReplaced?: boolean) => undefined as void
    // The supervising process says that all stop.
    stopOnSignals(log.child({}, { level: 'warn' }), () => stop())
    const createServing = await loadServing()
    const { duty, name, settings, apiProcesses, listensAtOnce } = await link.begin()
    const named = log.child({ process: name })
    const supervised = { link, name, apiProcesses, listens: duty === 'api' }
    const serving = await createServing({ config, log: named, settings, answers: duty === 'api', works: duty === 'worker', listensAtOnce, supervised })
    stop = serving.stop
    link.onRetire(() => void stop(true).then(() => process.exit(0)))
    const { port, isFirstStart } = await serving.start()
    link.ready(port, isFirstStart)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    await link.refuse(error.lines)
    process.exit(EXIT_CONFIGURATION)
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

const endOnUncaught = (log: Logger): void => {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nothing caught: the process ends')
    process.exit(1)
  })
}

const fail = (error: unknown): void => {
  if (error instanceof ConfigurationError) {
    for (const line of error.lines) process.stderr.write(`sortie: ${line}\n`)
    process.exit(EXIT_CONFIGURATION)
  }
  process.stderr.write(`sortie: could not start: ${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
}

try {
  await start()
} catch (error) {
  fail(error)
}
