// The build of the web interface, done when its sources changed.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { ROOT, node, run, whenChanged } from './runtime.mjs'

/** What the build reads; the lock file stands for the libraries. */
const SOURCES = ['web', 'contract/src', 'client/src', 'package-lock.json']

/** Leaves web/dist as its sources want it. @returns whether it could be built */
export const buildWeb = () => {
  let built = true
  const isMissing = !existsSync(path.join(ROOT, 'web/dist/index.html'))
  whenChanged(isMissing ? `web-${Date.now()}` : 'web', SOURCES, () => {
    console.error('Building the web interface ...')
    built = run(node(), ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', 'web'], { stdio: ['ignore', 2, 2] }) === 0
  })
  return built
}
