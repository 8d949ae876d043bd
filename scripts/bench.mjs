// npm run bench: installs, then measures the figures of performance; names as arguments measure only those: npm run bench -- P1 P4
import { buildServer } from './build-server.mjs'
import { install, run } from './runtime.mjs'

install()
buildServer()
process.exit(run('node', ['bench/run.ts', 'bench', ...process.argv.slice(2)]))
