import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
/** Build outputs that match their sources, and need not be built again. */
const BUILT = ['web/dist', 'server/dist', 'cli/dist']
/** Databases of test runs are not packages. */
const CACHE = '.cache'

/** Parts of the checkout itself: its own packages, programs, and records of installing and building. */
const isOwn = (name: string) => name === '@sortie' || name.startsWith('.')

/**
 * Makes a separate checkout in a directory that does not exist yet: the tracked and the new files, their build outputs,
 * and the installed packages.
 *
 * @param packages `copied` by hard links if possible, which takes ten seconds, for users who cannot read this tree; or
 *   links to those of this tree
 */
export const copyCheckout = (root: string, packages: 'copied' | 'linked'): void => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).split('\n')
  for (const file of [...files, ...BUILT].filter((name) => name && existsSync(path.join(ROOT, name)))) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    cpSync(path.join(ROOT, file), path.join(root, file), { recursive: true })
  }
  const from = path.join(ROOT, 'node_modules')
  const to = path.join(root, 'node_modules')
  const names = readdirSync(from).filter((name) => name !== CACHE)
  mkdirSync(to)
  const isCopied = (name: string) => packages === 'copied' || isOwn(name)
  copyPackages(from, to, names.filter(isCopied))
  for (const name of names.filter((each) => !isCopied(each))) symlinkSync(path.join(from, name), path.join(to, name))
}

const copyPackages = (from: string, to: string, names: string[]): void => {
  try {
    execFileSync('cp', ['-a', '-l', ...names, to], { cwd: from, stdio: 'ignore' })
  } catch {
    // On another file system a plain copy takes longer and works too.
    for (const name of names)
      cpSync(path.join(from, name), path.join(to, name), { recursive: true, verbatimSymlinks: true, force: true })
  }
}
