import { readConfig } from '../platform/config.ts'
import { ConfigurationError } from '../platform/errors.ts'

/** EX_CONFIG of sysexits.h. */
const EXIT_CONFIGURATION = 78

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
  const config = readConfig()
  // The server itself is loaded after its settings are found right: that takes a second, which a wrong one need not wait for.
  const { runServer } = await import('./run.ts')
  await runServer(config)
} catch (error) {
  fail(error)
}
