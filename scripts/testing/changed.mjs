// Which checks and tests `npm test -- --changed` runs: those of the features that differ from the merge base with main.
import { spawnSync } from 'node:child_process'

/**
 * Feature folders of the server and of the web interface, with how the names of their tests begin, in server/test and
 * in e2e. Files of the contract are found by the same beginnings. A test of the sources compares this table with the
 * folders.
 */
export const TESTS_OF = {
  'accept-invitation': ['invitations', 'invitation'],
  account: ['account', 'accounts', 'sessions', 'second-factor', 'passkeys'],
  'api-keys': ['api-keys', 'limited-keys'],
  audit: ['audit'],
  mcp: ['mcp'],
  oauth: ['oauth'],
  agents: ['agents'],
  'device-logins': ['device-logins', 'device-login'],
  billing: ['billing', 'stripe', 'webhooks', 'webhook'],
  clients: ['clients', 'client'],
  'custom-fields': ['custom-fields'],
  comments: ['task-comments', 'finding-comments'],
  presence: ['wiki-viewers', 'finding-viewers'],
  retests: ['retests'],
  reports: ['report-life', 'report-checks', 'report-data', 'report-images', 'report-size', 'sizes'],
  'report-renders': ['renders', 'editions', 'pdf', 'hostile', 'report-delivery', 'report-size'],
  'report-templates': ['report-templates', 'word-templates', 'refused-word-files'],
  webhooks: ['outgoing-webhooks'],
  'webhook-endpoints': ['outgoing-webhooks', 'webhook-events', 'webhook-losses'],
  trash: ['task-trash', 'inventory-trash'],
  'code-hosting': ['code-hosting', 'webhooks', 'webhook', 'task-issues'],
  'connection-rules': ['egress-policy', 'request-proxies', 'scan-connections'],
  domains: ['domains'],
  engagements: ['engagements', 'engagement', 'closed-engagements', 'removal', 'activity', 'overview'],
  events: ['events', 'many-events', 'event', 'live'],
  findings: ['findings', 'finding'],
  files: ['files', 'file', 'open-files', 'storage', 'stored-bytes', 'uploads', 'dropped-files'],
  auth: [
    'account',
    'accounts',
    'authenticate',
    'factor',
    'identities',
    'kept-out',
    'mailed-links',
    'passkeys',
    'password',
    'published-passwords',
    'second-factor',
    'session',
    'sessions',
    'sign-in',
    'silent-provider',
    'single-sign-on',
    'security',
    'first-password',
    'last-seen',
  ],
  imports: ['import', 'imports', 'recon', 'inventory-words', 'inherited-names', 'conflicts', 'dropped-files'],
  instance: ['instance', 'first-password', 'operator', 'safe-mode', 'health'],
  invitations: ['invitations', 'invitation'],
  library: ['library'],
  'report-settings': ['library', 'finding-review'],
  mails: ['mails', 'mail', 'mailed-links'],
  members: ['members', 'member', 'directory', 'roles'],
  methodologies: ['methodologies', 'coverage'],
  'account-emails': ['notifications'],
  inventory: ['import', 'imports', 'result', 'results', 'recon', 'inventory-words', 'hosts', 'scans', 'scan'],
  notices: ['notices', 'payload-notices'],
  notifications: ['task-comments', 'notices'],
  'operation-log': ['operations', 'scans'],
  'scanner-formats': ['import', 'imports', 'nmap', 'recon'],
  organizations: [
    'organizations',
    'organization',
    'members',
    'member',
    'invitations',
    'invitation',
    'domains',
    'directory',
    'roles',
    'settings',
  ],
  'password-reset': ['password', 'mailed-links'],
  requests: ['api-requests', 'request', 'requests', 'delegated', 'library-sending'],
  results: ['results', 'result', 'hosts', 'recon', 'import', 'imports', 'coverage', 'sizes'],
  scans: ['scans', 'scan', 'scanner', 'result-verdicts'],
  scope: ['scope', 'letter', 'rule-set', 'found-targets', 'target-keys', 'testing-hours', 'recognise'],
  search: ['search'],
  security: ['security', 'second-factor', 'passkeys', 'sessions'],
  targets: ['targets', 'target', 'found-targets'],
  tasks: ['tasks', 'task', 'board', 'sizes'],
  home: ['home'],
  'target-page': ['target-page', 'targets'],
  views: ['views'],
  wiki: ['wiki', 'hostile-markdown', 'sizes'],
}

/** Parts of the contract that belong to features whose names they do not begin with. */
const CONTRACT = { coverage: ['methodologies', 'results'], cvss: ['results'], 'pasted-lines': ['targets', 'scope'] }

/** Files on which no check or test of a feature depends. */
const HARMLESS = /^(?:bench\/|docs\/|\.editorconfig$|\.gitattributes$|\.githooks\/|\.github\/|[^/]+\.md$)/

const isTest = (file) => /\.(?:test|spec)\.ts$/.test(file)
const isNamed = (name, beginnings) =>
  beginnings.some(
    (beginning) => name === beginning || name.startsWith(`${beginning}-`) || name.startsWith(`${beginning}.`),
  )
const nameOf = (file) =>
  file
    .split('/')
    .at(-1)
    .replace(/\.(?:test|spec)?\.?ts$/, '')

/** @returns the features that a source file belongs to; undefined for what all of them rest on */
const featuresOf = (file) => {
  const folder = /^(?:server|web)\/src\/features\/([\w-]+)\//.exec(file)?.[1]
  if (folder) return folder in TESTS_OF ? [folder] : undefined
  const declared = /^contract\/src\/\w+\/([\w-]+)\.ts$/.exec(file)?.[1]
  if (!declared) return undefined
  const named = Object.keys(TESTS_OF).filter((feature) => isNamed(declared, [feature, ...TESTS_OF[feature]]))
  const found = CONTRACT[declared] ?? named
  return found.length > 0 ? found : undefined
}

/**
 * Chooses the tests for changed files.
 *
 * @param changed files that differ, relative to the root
 * @param tests all test files of the server and the browser
 * @returns `everything` with the reason where a file changed that all tests rest on; else the tests to run and those
 *   left out
 */
export const chooseTests = (changed, tests) => {
  const features = new Set()
  const run = new Set(tests.filter((file) => file.startsWith('server/test/architecture/')))
  for (const file of changed) {
    if (isTest(file)) {
      // A deleted test is not there to run.
      if (tests.includes(file)) run.add(file)
    } else if (!HARMLESS.test(file)) {
      const found = featuresOf(file)
      if (!found) return { everything: `${file} changed, on which every test may rest` }
      for (const feature of found) features.add(feature)
    }
  }
  for (const feature of features) {
    for (const file of tests)
      if (isNamed(nameOf(file), TESTS_OF[feature]) || file.startsWith(`server/test/${feature}/`)) run.add(file)
  }
  return {
    features: [...features].toSorted(),
    run: [...run].toSorted(),
    leftOut: tests.filter((file) => !run.has(file)),
  }
}

const git = (...args) => {
  const { status, stdout, stderr, error } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${error?.message ?? stderr.trim()}`)
  return stdout.split('\n').filter(Boolean)
}

/** Files that differ from the merge base with main, new ones included. @throws Error where git knows no main */
export const changedFiles = () => {
  const main = ['main', 'origin/main'].find(
    (name) => spawnSync('git', ['rev-parse', '--verify', '--quiet', name]).status === 0,
  )
  if (!main) throw new Error('there is no branch main or origin/main to compare with')
  const [base] = git('merge-base', 'HEAD', main)
  // Both names of what was moved.
  return [
    ...new Set([
      ...git('diff', '--name-only', '--no-renames', base),
      ...git('ls-files', '--others', '--exclude-standard'),
    ]),
  ].toSorted()
}

/** All test files that `npm test` may run, tracked or new. */
export const allTests = () =>
  git('ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', '*.test.ts', '*.spec.ts').filter(
    (file) => !file.endsWith('.soak.test.ts'),
  )
