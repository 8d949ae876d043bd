// npm test: installs, then every check there is. Names of steps as arguments run only those: npm test -- types api With
// --nightly, tests run in their long forms. With --changed, only the checks of the sources run, and the tests of the
// features that differ from the merge base with main.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { environment, install, ROOT } from './runtime.mjs'
import { allTests, changedFiles, chooseTests } from './testing/changed.mjs'
import { countPlaywright, countVitest } from './testing/test-reports.mjs'

install()

const CACHE = path.join(ROOT, 'node_modules/.cache/sortie-results')
rmSync(CACHE, { recursive: true, force: true })
mkdirSync(CACHE, { recursive: true })
const report = (name) => path.join(CACHE, `${name}.json`)

const isInstalled = (...programs) =>
  programs.some((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0)
const MISSING = [
  ...(isInstalled('chromium', 'chromium-browser', 'google-chrome')
    ? []
    : [{ name: 'browser', what: 'Chromium, for the browser tests', packages: 'chromium' }]),
  ...(isInstalled('redis-server')
    ? []
    : [{ name: 'redis', what: 'Redis, for the tests of shared rate limits', packages: 'redis-server' }]),
  ...(process.getuid?.() === 0 && isInstalled('buildah') && existsSync('/usr/sbin/debootstrap')
    ? []
    : [
        {
          name: 'image',
          what: 'root, buildah or debootstrap, for the tests of the image',
          packages: 'buildah debootstrap',
        },
      ]),
]

const isNightly = process.argv.includes('--nightly')
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))

const tests = process.argv.includes('--changed') ? allTests() : []
const chosen = process.argv.includes('--changed')
  ? chooseTests(changedFiles(), tests)
  : { everything: undefined, run: undefined, leftOut: [] }
if (chosen.everything) console.log(`Everything runs: ${chosen.everything}.`)
if (chosen.features)
  console.log(
    `Features that differ from main: ${chosen.features.join(', ') || 'none'}. ${chosen.run.length} of ${tests.length} test files run.`,
  )
/** Files given to a runner of tests: none are all of its files. */
const filesIn = (isOf) => chosen.run?.filter(isOf) ?? []
const isBrowserTest = (file) => file.startsWith('e2e/')

/** Groups of the server's tests, one after the other in one run. */
const projects = ['api', 'faults', 'deadlines'].filter((name) => wanted.length === 0 || wanted.includes(name))

/**
 * Steps of a group run in parallel, and groups one after another: as much as two processors can handle. A check passes
 * or fails as a whole; tests are counted one by one from their runner's report.
 */
const GROUPS = [
  [
    { name: 'build', commands: [['npm', 'run', '--silent', 'build']] },
    { name: 'format', commands: [['oxfmt', '--check']] },
    { name: 'unused', commands: [['knip']] },
    { name: 'lockfile', commands: [['node', 'scripts/generate/lockfile.mjs', '--check']] },
    // One thread each: parallel workers would check the same types several times, for twice the processor time.
    {
      name: 'types',
      commands: ['.', 'web', 'e2e', 'cli'].map((project) => ['tsc', '-p', project, '--singleThreaded']),
    },
    { name: 'lint', commands: [['oxlint', '--type-aware', '--max-warnings=0', '--report-unused-disable-directives']] },
  ],
  [
    {
      name: projects.join(),
      commands: [
        [
          'vitest',
          'run',
          ...projects.flatMap((name) => ['--project', name]),
          ...filesIn((file) => !isBrowserTest(file)),
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${report(projects.join())}`,
        ],
      ],
      count: countVitest,
    },
  ],
  [
    {
      name: 'browser',
      commands: [['playwright', 'test', '-c', 'e2e/playwright.config.ts', ...filesIn(isBrowserTest)]],
      count: countPlaywright,
    },
  ],
  // Builds the image, which takes minutes and both package registries.
  ...(isNightly || wanted.includes('image')
    ? [
        [
          {
            name: 'image',
            commands: [
              [
                'vitest',
                'run',
                '--project',
                'image',
                '--reporter=default',
                '--reporter=json',
                `--outputFile.json=${report('image')}`,
              ],
            ],
            count: countVitest,
          },
        ],
      ]
    : []),
]

const env = {
  ...environment(),
  SORTIE_NIGHTLY: isNightly ? '1' : '',
  PLAYWRIGHT_JSON_OUTPUT_NAME: report('browser'),
  SORTIE_TEST_WITHOUT: process.env.CI ? '' : MISSING.map(({ name }) => name).join(),
}

/** @param isAlone true if it may write to the terminal directly; otherwise its output is printed when it ends */
const run = ([command, ...args], isAlone, output) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, env, stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => output.push(bytes))
    child.on('error', (error) => {
      console.error(error.message)
      resolve(false)
    })
    child.on('close', (status) => resolve(status === 0))
  })

const sums = { passed: 0, failed: 0 }
const lines = []
const files = []
const failures = []

const runStep = async (step, isAlone) => {
  const started = performance.now()
  const output = []
  if (isAlone) console.log(`\n=== ${step.name}`)
  let ok = true
  for (const command of step.commands) ok = ok && (await run(command, isAlone, output))
  if (!isAlone) process.stdout.write(`\n=== ${step.name}\n${Buffer.concat(output).toString()}`)
  const isReported = step.count && existsSync(report(step.name))
  const counted = isReported
    ? step.count(report(step.name))
    : { passed: ok ? 1 : 0, failed: ok ? 0 : 1, files: [], failures: ok ? [] : [step.name] }
  if (!ok && counted.failed === 0) counted.failed = 1
  sums.passed += counted.passed
  sums.failed += counted.failed
  files.push(...counted.files)
  failures.push(...counted.failures)
  lines.push(
    `${step.name.padEnd(20)} ${counted.passed} passed, ${counted.failed} failed, ${((performance.now() - started) / 1000).toFixed(0)} s`,
  )
}

const isWanted = ({ name }) => {
  if (name === '' || (wanted.length > 0 && name !== projects.join() && !wanted.includes(name))) return false
  if (name === 'browser' && chosen.run && !chosen.run.some(isBrowserTest)) return false
  const missing = MISSING.find((other) => other.name === name && (!process.env.CI || name === 'image'))
  if (missing)
    lines.push(
      `${name.padEnd(20)} NOT RUN: this machine lacks ${missing.what} (Debian: apt-get install ${missing.packages})`,
    )
  return !missing
}
for (const group of GROUPS) {
  const steps = group.filter(isWanted)
  await Promise.all(steps.map((step) => runStep(step, steps.length === 1)))
}

if (chosen.leftOut.length > 0) {
  lines.push(
    '',
    `left out: ${chosen.leftOut.length} test files of what did not change; npm test runs them:`,
    ...chosen.leftOut.map((file) => `  ${file}`),
  )
}
if (process.getuid?.() !== 0)
  lines.push('faults               without the tests of a full disk, which mount a small one: only root may')
if (MISSING.some(({ name }) => name === 'redis') && !process.env.CI) {
  lines.push('faults               without the tests that want Redis (Debian: apt-get install redis-server)')
}
const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)
if (slowest.length > 0)
  lines.push(
    '',
    'slowest test files:',
    ...slowest.map(({ name, seconds }) => `${seconds.toFixed(0).padStart(5)} s  ${name}`),
  )
if (failures.length > 0) lines.push('', 'failed:', ...failures.map((failure) => `  ${failure}`))
const total = `${sums.passed} passed, ${sums.failed} failed`
writeFileSync(path.join(CACHE, 'total'), `${total}\n`)
console.log(`\n${lines.join('\n')}\n\n${total}`)
process.exit(sums.failed > 0 || sums.passed === 0 ? 1 : 0)
