import path from 'node:path'
import type { EmbeddedPostgres } from '@sortie/embedded-postgres/embedded.ts'
import { sendsMail, writesFiles } from '../app/app.ts'
import type { Config } from '../platform/config.ts'
import { embeddedLimits, startEmbedded } from '../platform/database/connection/embedded.ts'
import { probeDirectory } from '../platform/files/directory/probe-directory.ts'
import { createStorage } from '../platform/files/open-storage.ts'
import { createLogger } from '../platform/log.ts'
import { announce } from './announce.ts'
import { createServing } from './serve.ts'
import { stopOnSignals } from './signals.ts'
import { watchUncaught } from './uncaught.ts'

/**
 * Runs a server until a signal ends the process.
 *
 * @param port to listen on, 0 for any free one; the instance's own ports still follow from `PORT`
 * @throws what prevents the start, once everything is closed again
 */
export const runServer = async (config: Config, port = config.PORT): Promise<void> => {
  const log = createLogger(config.LOG_LEVEL)
  let embedded: Promise<EmbeddedPostgres | undefined> = Promise.resolve(undefined)
  let stopServing = async () => undefined as void
  const stopEmbedded = async () => (await embedded.catch(() => undefined))?.stop()
  const stop = async () => {
    await stopServing()
    await stopEmbedded()
  }
  const uncaughtErrors = watchUncaught(log, stopEmbedded)
  const stopping = stopOnSignals(log, stop)
  try {
    const storage = await createStorage(config)
    const trouble = writesFiles(config) ? await storage.probe(true) : undefined
    if (trouble !== undefined) log.warn(trouble)
    if (!config.DATABASE_URL) embedded = startEmbedded(config.DATA_DIR, log, embeddedLimits(config))
    const settings = (await embedded)?.settings ?? { connectionString: config.DATABASE_URL as string }
    if (sendsMail(config) && !config.SMTP_URL) probeDirectory('DATA_DIR', path.join(config.DATA_DIR, 'mail'), false)
    const serving = await createServing(config, log, settings, storage, { port, uncaughtErrors })
    if (stopping.aborted) return
    stopServing = serving.stop
    const started = await serving.start()
    announce(config, started)
  } catch (error) {
    // A failure during an interrupted start is caused by the stop.
    if (stopping.aborted) return
    await stop().catch(() => undefined)
    throw error
  }
}
