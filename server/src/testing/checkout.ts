import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Makes a checkout of its own in a directory that does not exist yet: the tracked and the new files, and the installed
 * packages, by hard links where that is possible.
 */
export const copyCheckout = (root: string): void => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  for (const file of files.split('\n').filter((name) => name && existsSync(path.join(ROOT, name)))) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    cpSync(path.join(ROOT, file), path.join(root, file))
  }
  const from = path.join(ROOT, 'node_modules')
  const to = path.join(root, 'node_modules')
  try {
    execFileSync('cp', ['-a', '-l', from, to], { stdio: 'ignore' })
  } catch {
    // Another file system: a plain copy takes longer and does as well.
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, force: true })
  }
}
