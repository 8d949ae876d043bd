// npm test: installs, then every check there is. Names of steps as arguments run only those: npm test -- types api
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { environment, install, ROOT } from './runtime.mjs'

install()

const CACHE = path.join(ROOT, 'node_modules/.cache/sortie-results')
rmSync(CACHE, { recursive: true, force: true })
mkdirSync(CACHE, { recursive: true })
const report = (name) => path.join(CACHE, `${name}.json`)

const isInstalled = (...programs) => programs.some((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0)
const MISSING = [
  ...(isInstalled('chromium', 'chromium-browser', 'google-chrome') ? [] : [{ name: 'browser', what: 'Chromium, for the browser tests', packages: 'chromium' }]),
  ...(isInstalled('redis-server') ? [] : [{ name: 'redis', what: 'Redis, for the tests of shared rate limits', packages: 'redis-server' }]),
]

/** A check passes or fails as one; tests are counted one by one from the report that their runner writes. */
const STEPS = [
  {
    name: 'types',
    commands: [
      ['tsc', '-p', '.'],
      ['tsc', '-p', 'web'],
      ['tsc', '-p', 'e2e'],
    ],
  },
  { name: 'lint', commands: [['oxlint', '--type-aware', '--max-warnings=0']] },
  { name: 'format', commands: [['biome', 'check', '.']] },
  { name: 'unused', commands: [['knip']] },
  { name: 'lockfile', commands: [['node', 'scripts/lockfile.mjs', '--check']] },
  { name: 'api', commands: [['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report('api')}`]], count: countVitest },
  {
    name: 'browser',
    commands: [
      ['node', 'scripts/build-web.mjs'],
      ['playwright', 'test', '-c', 'e2e/playwright.config.ts'],
    ],
    count: countPlaywright,
  },
]

function countVitest() {
  const { numPassedTests, numFailedTests, numFailedTestSuites, success } = JSON.parse(readFileSync(report('api'), 'utf8'))
  const failed = Math.max(numFailedTests, success ? 0 : Math.max(1, numFailedTestSuites > 0 && numFailedTests === 0 ? numFailedTestSuites : numFailedTests))
  return { passed: numPassedTests, failed }
}

function countPlaywright() {
  const { stats, errors } = JSON.parse(readFileSync(report('browser'), 'utf8'))
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length }
}

const wanted = process.argv.slice(2)
const sums = { passed: 0, failed: 0 }
const lines = []
for (const step of STEPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const missing = MISSING.find(({ name }) => name === step.name)
  if (missing && !process.env.CI) {
    lines.push(`${step.name.padEnd(10)} NOT RUN: this machine lacks ${missing.what} (Debian: apt-get install ${missing.packages})`)
    continue
  }
  console.log(`\n=== ${step.name}`)
  const started = performance.now()
  const env = {
    ...environment(),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report('browser'),
    SORTIE_TEST_WITHOUT: process.env.CI ? '' : MISSING.map(({ name }) => name).join(),
  }
  const ok = step.commands.every(([command, ...args]) => spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', env }).status === 0)
  const counted = step.count && existsSync(report(step.name)) ? step.count() : { passed: ok ? 1 : 0, failed: ok ? 0 : 1 }
  if (!ok && counted.failed === 0) counted.failed = 1
  sums.passed += counted.passed
  sums.failed += counted.failed
  lines.push(`${step.name.padEnd(10)} ${counted.passed} passed, ${counted.failed} failed, ${((performance.now() - started) / 1000).toFixed(0)} s`)
}
if (process.getuid?.() !== 0) lines.push('api        without the tests of a full disk, which mount a small one: only root may')
if (MISSING.some(({ name }) => name === 'redis') && !process.env.CI) {
  lines.push('api        without the tests that want Redis (Debian: apt-get install redis-server)')
}
const total = `${sums.passed} passed, ${sums.failed} failed`
writeFileSync(path.join(CACHE, 'total'), `${total}\n`)
console.log(`\n${lines.join('\n')}\n\n${total}`)
process.exit(sums.failed > 0 || sums.passed === 0 ? 1 : 0)
