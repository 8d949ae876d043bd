import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { ROOT } from '../runtime.mjs'

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

/**
 * The commit that the sources are of: `SOURCE_COMMIT`, for builds without a repository such as those of the image, or
 * that of the checkout.
 *
 * @returns null if it is not known
 */
export const sourceCommit = () => {
  const given = process.env.SOURCE_COMMIT
  if (given) return COMMIT.test(given) ? given : null
  const { status, stdout } = spawnSync('git', ['rev-parse', '--show-toplevel', 'HEAD'], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) return null
  const [root, commit] = stdout.split('\n')
  // A release that is unpacked below another repository is not of that one.
  return realpathSync(root) === realpathSync(ROOT) && COMMIT.test(commit) ? commit : null
}
