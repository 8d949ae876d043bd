import { readConfig } from '../platform/config.ts'
import { embeddedLimits, startEmbedded } from '../platform/database/connection/embedded.ts'
import { ConfigurationError } from '../platform/errors.ts'
import { createLogger } from '../platform/log.ts'

/**
 * Holds the embedded database for `npm run dev`: servers on the same directory share it, so that a reload of the server
 * does not restart Postgres. Sends a message to its parent when the database accepts connections. Ends on SIGTERM, and
 * with the parent; Ctrl-C reaches it as well, when the server still needs the database, and is left to the parent.
 */
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)

try {
  const config = readConfig()
  const log = createLogger('warn', { write: (line) => void process.stderr.write(line) })
  const embedded = await startEmbedded(config.DATA_DIR, log, embeddedLimits(config))
  const stop = async () => {
    await embedded.stop()
    process.exit(0)
  }
  for (const event of ['SIGTERM', 'disconnect'] as const) process.once(event, () => void stop())
  process.send?.('ready')
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error
  for (const line of error.lines) process.stderr.write(`sortie: ${line}\n`)
  process.exitCode = 78
  process.disconnect?.()
}
