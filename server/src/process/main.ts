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

// A log that cannot be written (a closed terminal, a reader that has ended, a full disk) must not stop the server, or
// fail its shutdown; and there is nowhere to report it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

try {
  const config = readConfig()
  // The server is loaded only after its settings are checked: loading takes a second, and a wrong setting is reported
  // without that wait.
  const { runServer } = await import('./run.ts')
  await runServer(config)
} catch (error) {
  fail(error)
}
