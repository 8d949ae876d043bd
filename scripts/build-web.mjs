// Builds the web interface into web/dist when its sources changed. Run by npm start and npm test; also by itself.
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, node, ROOT, run, whenChanged } from './runtime.mjs'

/** What the build reads; the lock file stands for the libraries. */
const SOURCES = ['web', 'contract/src', 'client/src', 'package-lock.json']
const DIST = path.join(ROOT, 'web/dist')

/** @returns whether web/dist is as its sources want it */
export const buildWeb = () => {
  try {
    // The stamp says what was built, not that it is still there.
    if (!existsSync(path.join(DIST, 'index.html'))) rmSync(path.join(ROOT, 'node_modules/.sortie-web'), { force: true })
    whenChanged('web', SOURCES, () => {
      console.error('Building the web interface ...')
      const status = run(node(), ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', 'web'], { stdio: ['ignore', 2, 2] })
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
