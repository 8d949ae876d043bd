// The hook in .githooks/pre-commit: format, types and lint of the files that are staged, as they are in the working
// tree.
import { spawnSync } from 'node:child_process'
import { requireInstalled, ROOT, run } from './runtime.mjs'

const SOURCE = /\.(?:[cm]?[jt]s|tsx)$/
/** What each project of TypeScript is made of. The contract and the client are parts of all of them. */
const PROJECTS = {
  '.': /^(?:contract|client|embedded-postgres|server|bench|scripts)\//,
  web: /^(?:contract|client|web)\//,
  e2e: /^(?:contract|client|e2e)\//,
}

requireInstalled({ withDev: true })
const listed = spawnSync('git', ['diff', '--cached', '--name-only', '--diff-filter=ACMR', '-z'], {
  cwd: ROOT,
  encoding: 'utf8',
})
if (listed.status !== 0) {
  console.error(listed.error?.message ?? listed.stderr)
  process.exit(1)
}
const files = listed.stdout.split('\0').filter(Boolean)
const sources = files.filter((file) => SOURCE.test(file))

const checks = [
  ...(files.length > 0 ? [['oxfmt', '--check', '--no-error-on-unmatched-pattern', ...files]] : []),
  ...(sources.length > 0 ? [['oxlint', '--type-aware', '--max-warnings=0', '--format=unix', ...sources]] : []),
  ...Object.entries(PROJECTS).flatMap(([project, isPart]) =>
    sources.some((file) => isPart.test(file)) ? [['tsc', '-p', project]] : [],
  ),
]
const failed = checks.filter(([command, ...args]) => run(command, args) !== 0).map(([command]) => command)
if (failed.length > 0) {
  console.error(
    `\nNot committed: ${[...new Set(failed)].join(', ')} failed. "npx oxfmt" formats; "git commit --no-verify" commits without these checks.`,
  )
  process.exit(1)
}
