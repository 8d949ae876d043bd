import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** What was built is as its sources want it, and need not be built again. */
const BUILT = ['web/dist', 'server/dist']
/** Databases of test runs are no packages. */
const CACHE = '.cache'

/**
 * Makes a checkout of its own in a directory that does not exist yet: the tracked and the new files, what is
 * built of them, and the installed packages, by hard links where that is possible.
 */
export const copyCheckout = (root: string): void => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' }).split('\n')
  for (const file of [...files, ...BUILT].filter((name) => name && existsSync(path.join(ROOT, name)))) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    cpSync(path.join(ROOT, file), path.join(root, file), { recursive: true })
  }
  const from = path.join(ROOT, 'node_modules')
  const to = path.join(root, 'node_modules')
  const packages = readdirSync(from).filter((name) => name !== CACHE)
  mkdirSync(to)
  try {
    execFileSync('cp', ['-a', '-l', ...packages, to], { cwd: from, stdio: 'ignore' })
  } catch {
    // Another file system: a plain copy takes longer and does as well.
    for (const name of packages) cpSync(path.join(from, name), path.join(to, name), { recursive: true, verbatimSymlinks: true, force: true })
  }
}
