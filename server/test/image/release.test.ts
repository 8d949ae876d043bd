import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStage } from '../support/app/server-process.ts'
import { SCANS_LOOPBACK, smoke } from '../support/image/smoke.ts'

const NOBODY = 65_534

const stage = createStage()
afterAll(() => stage.close())

let out: string
let root: string
beforeAll(() => {
  out = stage.directory()
  execFileSync('npm', ['run', '--silent', 'release', '--', '--out', out], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [tarball] = readdirSync(out).filter((name) => name.endsWith('.tar.gz')) as [string]
  execFileSync('sha256sum', ['--check', '--quiet', `${tarball}.sha256`], { cwd: out })
  const elsewhere = stage.directory()
  execFileSync('tar', ['-xzf', path.join(out, tarball), '-C', elsewhere])
  root = path.join(elsewhere, tarball.replace('.tar.gz', ''))
})

test('a release holds packages of production and a bill of materials in which each component has a licence', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(path.basename(root)).toBe(`sortie-${version}-linux-${process.arch}`)
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
  expect(JSON.parse(readFileSync(path.join(root, 'server/dist/version.json'), 'utf8'))).toEqual({ version, commit })
  for (const name of ['typescript', 'vitest', 'vite', 'rolldown', 'react', 'oxlint'])
    expect(existsSync(path.join(root, 'node_modules', name)), name).toBe(false)
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  expect(names.filter((name) => !name.includes('node_modules/') && /\.tsx?$|\/\.env$/.test(name))).toEqual([])
  const bill = JSON.parse(readFileSync(path.join(root, 'sbom.cdx.json'), 'utf8')) as {
    components: { purl: string; licenses?: unknown[] }[]
  }
  expect(bill.components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([])
  const listed = new Set(bill.components.map(({ purl }) => decodeURIComponent(purl.slice('pkg:npm/'.length))))
  const packages = names.filter((name) => /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@.]+[^/]*\/package\.json$/.test(name))
  expect(packages.length).toBeGreaterThan(100)
  const unlisted = packages
    .map((name) => JSON.parse(readFileSync(path.join(root, name), 'utf8')))
    .filter((each) => each.name && each.version && !listed.has(`${each.name}@${each.version}`))
  expect(unlisted.map((each) => `${each.name}@${each.version}`)).toEqual([])
})

test('an unpacked release serves a first use as an account that can only read it, without npm', async () => {
  const dataDir = path.join(stage.directory(), 'data')
  mkdirSync(dataDir)
  chownSync(dataDir, NOBODY, NOBODY)
  const server = await stage.server({ root, uid: NOBODY, dataDir, firstStart: true, env: SCANS_LOOPBACK })
  await server.ready(180_000)
  await smoke(server)
  // The programs of Postgres run where they are.
  expect(existsSync(path.join(dataDir, 'runtime'))).toBe(false)
  expect(await server.stop()).toEqual({ code: 0, signal: null })
})
