// npm run target -- L5: proves one of the targets of load and faults, and writes a report; without a name it lists
// them.
import { buildServer } from './build/build-server.mjs'
import { requireInstalled, run } from './runtime.mjs'

requireInstalled({ withDev: true })
buildServer()
process.exit(run('node', ['bench/run.ts', 'target', ...process.argv.slice(2)]))
