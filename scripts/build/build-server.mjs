// Builds the server into server/dist if its sources changed, so that a start loads a few files instead of 2,700. Run by
// npm start and npm test; also runs standalone.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, isBuilt, node, ROOT, run, whenChanged } from '../runtime.mjs'
import { sourceCommit } from './source-commit.mjs'

const SOURCES = [
  'server/src',
  'embedded-postgres/src',
  'contract/src',
  'scripts/build/rolldown.config.mjs',
  'package-lock.json',
]
const BUILT = { main: 'server/dist/main.js', operator: 'server/dist/operator.js' }
const UNBUILT = { main: 'server/src/process/main.ts', operator: 'server/src/operator/cli.ts' }

/** @returns the files to run, relative to the root: the sources if the build fails */
export const buildServer = () => {
  try {
    // The stamp records a build, not that its files still exist.
    if (!existsSync(path.join(ROOT, BUILT.main)))
      rmSync(path.join(ROOT, 'node_modules/.sortie-server'), { force: true })
    whenChanged('server', SOURCES, () => {
      const config = ['--config', 'scripts/build/rolldown.config.mjs', '--log-level', 'warn']
      // The bundler lists its files on standard output.
      const status = run(node(), ['node_modules/rolldown/bin/cli.mjs', ...config], { stdio: ['ignore', 'ignore', 2] })
      if (status !== 0) throw new Error('The server could not be built.')
    })
    writeVersion()
    return BUILT
  } catch (error) {
    console.error(`${error.message} Going on with its sources: the start takes a second more.`)
    return UNBUILT
  }
}

/** What the server says of itself. Written after every build, since a commit may change without the sources of the server. */
const writeVersion = () => {
  const file = path.join(ROOT, 'server/dist/version.json')
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'server/package.json'), 'utf8'))
  const wanted = `${JSON.stringify({ version, commit: sourceCommit() })}\n`
  if (!existsSync(file) || readFileSync(file, 'utf8') !== wanted) writeFileSync(file, wanted)
}

/** Returns the build without building; the sources if the build is outdated. */
export const builtServer = () =>
  existsSync(path.join(ROOT, BUILT.operator)) && isBuilt('server', SOURCES) ? BUILT : UNBUILT

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  install()
  if (buildServer() !== BUILT) process.exit(1)
}
