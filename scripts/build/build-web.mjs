// Builds the web interface into web/dist if its sources changed. Run by npm start and npm test; also runs standalone.
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, node, ROOT, run, whenChanged } from '../runtime.mjs'

/** Inputs of the build; the lock file covers the libraries. */
const SOURCES = ['web', 'contract/src', 'client/src', 'package-lock.json']
const DIST = path.join(ROOT, 'web/dist')

/** @returns true if web/dist matches its sources */
export const buildWeb = () => {
  try {
    // The stamp records a build, not that its files still exist.
    if (!existsSync(path.join(DIST, 'index.html'))) rmSync(path.join(ROOT, 'node_modules/.sortie-web'), { force: true })
    whenChanged('web', SOURCES, () => {
      console.error('Building the web interface ...')
      const status = run(node(), ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', 'web'], {
        stdio: ['ignore', 2, 2],
      })
      if (status !== 0) throw new Error('The web interface could not be built.')
    })
    return true
  } catch (error) {
    console.error(error.message)
    return false
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  install()
  if (!buildWeb()) process.exit(1)
}
