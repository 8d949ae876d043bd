// npm run bench: measures the figures of performance; names as arguments measure only those: npm run bench -- P1 P4
import { buildServer } from './build/build-server.mjs'
import { requireInstalled, run } from './runtime.mjs'

requireInstalled({ withDev: true })
buildServer()
process.exit(run('node', ['bench/run.ts', 'bench', ...process.argv.slice(2)]))
