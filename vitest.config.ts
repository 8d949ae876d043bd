import { spawnSync } from 'node:child_process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const isContinuousIntegration = Boolean(process.env.CI)
const hasAll = (programs: readonly (readonly [name: string, option: string])[]) =>
  programs.every(([name, option]) => spawnSync(name, [option]).status === 0)
const withoutRedis = process.env.SORTIE_TEST_WITHOUT?.includes('redis') ? ['**/*.redis{,.deadline}.test.ts'] : []
/** Mounting a small file system and making a network namespace take root. */
const withoutRoot = process.getuid?.() === 0 ? [] : ['**/*.mount.test.ts', '**/*.netns.test.ts']
if (withoutRoot.length > 0) process.stderr.write(`left out, since they take root: ${withoutRoot.join(', ')}\n`)
/** Exported cURL commands are run by curl. */
const withoutCurl = spawnSync('curl', ['--version']).status === 0 ? [] : ['**/*.curl.test.ts']
/** Readers of the files that reports are written to, and openssl for certificates that sign them. */
const withoutPdfTools = hasAll([
  ['pdftotext', '-v'],
  ['openssl', 'version'],
])
  ? []
  : ['**/*.poppler.test.ts', '**/*.office.test.ts']
const withoutOffice = hasAll([['soffice', '--version']]) ? [] : ['**/*.office.test.ts']
if (withoutPdfTools.length + withoutOffice.length > 0)
  process.stderr.write(
    'left out, since poppler-utils, openssl or LibreOffice is not installed: tests of the files of reports\n',
  )
/** Programs that tests of the files in `deploy/` start. Debian keeps some beside the path of ordinary users. */
const hasProgram = (name: string, option: string) =>
  spawnSync(name, [option], { env: { PATH: `${process.env.PATH}:/usr/sbin` } }).status === 0
const proxies = { nginx: '-v', caddy: 'version', haproxy: '-v' }
const missingProxies = Object.entries(proxies).flatMap(([name, option]) => (hasProgram(name, option) ? [] : [name]))
if (missingProxies.length > 0)
  process.stderr.write(`left out, since they are not installed: tests of ${missingProxies.join(', ')}\n`)
const withoutProxies = missingProxies.map((name) => `**/*.${name}.test.ts`)
/** Prometheus evaluates the alerts of `deploy/`. */
const withoutPrometheus = hasAll([
  ['prometheus', '--version'],
  ['promtool', '--version'],
])
  ? []
  : ['**/*.prometheus{,.mount}.test.ts']
if (withoutPrometheus.length > 0) process.stderr.write('left out, since it is not installed: tests of prometheus\n')
const exclude = [
  '**/node_modules/**',
  '**/*.soak.test.ts',
  ...withoutRedis,
  ...withoutRoot,
  ...withoutCurl,
  ...withoutPdfTools,
  ...withoutOffice,
  ...withoutProxies,
  ...withoutPrometheus,
]
const image = ['server/test/image/**/*.test.ts']
const faults = ['server/test/faults/**/*.test.ts']
const deadlines = ['server/test/**/*.deadline.test.ts']

/** They wait for most of their time, longest first: others use the processor meanwhile. */
const waiting = [
  'alerts',
  'removal-kills',
  'slow-clients',
  'webhook-kill',
  'request-kills',
  'events.deadline',
  'many-events',
]

/**
 * Those first, and what is left as ever: without a run before it by size, which says nothing of how long a file takes.
 */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = waiting.findIndex((name) => moduleId.includes(`/${name}.`))
      return found < 0 ? waiting.length : found
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

/**
 * Three groups, one after the other, and a fourth at night. `api` drives the server within the test's process. `faults` starts, kills and
 * starves whole servers: more at a time than there are processors, since they also wait. `deadlines` are the tests
 * whose subject is how soon something happens: they wait most, three at a time beside nothing else. Modules hold no
 * state, so files of a worker share them.
 *
 * In continuous integration a test that fails is run twice more, since that machine may be busy; it is named as such in
 * the output, to be mended.
 */
export default defineConfig({
  test: {
    globalSetup: ['server/test/support/app/global-setup.ts'],
    pool: 'forks',
    retry: isContinuousIntegration ? 2 : 0,
    // These only end a test that hangs, on a slow machine as well.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    sequence: { sequencer: WaitingFirst },
    reporters: isContinuousIntegration ? ['default'] : ['dot'],
    projects: [
      {
        extends: true,
        test: {
          name: 'api',
          include: [
            'contract/src/**/*.test.ts',
            'client/src/**/*.test.ts',
            'cli/src/**/*.test.ts',
            'embedded-postgres/test/**/*.test.ts',
            'server/test/**/*.test.ts',
          ],
          exclude: [...exclude, ...faults, ...deadlines, ...image],
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: faults,
          exclude: [...exclude, ...deadlines],
          maxWorkers: 4,
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'deadlines',
          include: deadlines,
          exclude,
          isolate: false,
          maxWorkers: 3,
          // What answers are held to is made beforehand: it would take a second of the first request that is measured.
          setupFiles: ['server/test/support/document/check-document.ts'],
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        // What is shipped: built, unpacked and run as operators do. Minutes, so only at night and by name.
        test: { name: 'image', include: image, exclude, maxWorkers: 1, sequence: { groupOrder: 4 } },
      },
    ],
  },
})
