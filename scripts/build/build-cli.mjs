// Builds the command line of testers into cli/dist/sortie.mjs if its sources changed: one file, which the server offers
// at /api/cli. Run by npm start and npm test; also runs standalone.
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, node, ROOT, run, whenChanged } from '../runtime.mjs'

const SOURCES = [
  'cli/src',
  'client/src',
  'contract/src',
  'server/src/features/scope/rules',
  'server/src/features/engagements/details',
  'server/src/platform/outbound/addresses.ts',
  'server/src/platform/text',
  'server/package.json',
  'scripts/build/rolldown.cli.config.mjs',
  'package-lock.json',
]
const BUILT = path.join(ROOT, 'cli/dist/sortie.mjs')

/** @returns true if the file matches its sources */
export const buildCli = () => {
  try {
    // The stamp records a build, not that its file still exists.
    if (!existsSync(BUILT)) rmSync(path.join(ROOT, 'node_modules/.sortie-cli'), { force: true })
    whenChanged('cli', SOURCES, () => {
      const config = ['--config', 'scripts/build/rolldown.cli.config.mjs', '--log-level', 'warn']
      // The bundler lists its files on standard output.
      const status = run(node(), ['node_modules/rolldown/bin/cli.mjs', ...config], { stdio: ['ignore', 'ignore', 2] })
      if (status !== 0) throw new Error('The command line could not be built.')
    })
    return true
  } catch (error) {
    console.error(error.message)
    return false
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  install()
  if (!buildCli()) process.exit(1)
}
