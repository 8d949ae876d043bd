import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  ADMIN_PASSWORD,
  createStage,
  eventually,
  freePort,
  postgresPid,
  SESSION_SECRET,
} from '../support/app/server-process.ts'
import { databaseAddress, proxiedUrl, signInAsOwner } from '../support/clients/server-clients.ts'
import { copyTemplate } from '../support/database/test-databases.ts'
import { buildImage, type Image } from '../support/image/build-image.ts'
import { Container, type ContainerOptions, UID } from '../support/image/container.ts'
import { SCANS_LOOPBACK, smoke } from '../support/image/smoke.ts'
import { FaultProxy } from '../support/network/fault-proxy.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const MAX_COMPRESSED_BYTES = 350_000_000

let image: Image
const volumes: string[] = []
const running: Container[] = []
const stage = createStage()

beforeAll(async () => {
  image = await buildImage(COMMIT)
})
afterEach(async () => {
  for (const container of running.splice(0)) await container.kill()
  await stage.close()
})
afterAll(() => {
  for (const volume of volumes) rmSync(volume, { recursive: true, force: true, maxRetries: 5 })
  image?.remove()
})

const newVolume = (): string => {
  const volume = mkdtempSync(path.join(os.tmpdir(), 'sortie-volume-'))
  chownSync(volume, UID, UID)
  volumes.push(volume)
  return volume
}

const start = async (options: Partial<ContainerOptions> = {}): Promise<Container> => {
  const env = { SESSION_SECRET, ADMIN_PASSWORD, HOST: '127.0.0.1', ...SCANS_LOOPBACK, ...options.env }
  const container = new Container({ image, data: newVolume(), port: await freePort(), ...options, env })
  running.push(container)
  return container
}

test('the image has at most 350 MB compressed, an account without rights, one volume, a health check and labels', () => {
  const { config, compressedBytes } = image
  process.stderr.write(`the image has ${Math.round(compressedBytes / 1e6)} MB, compressed\n`)
  expect(compressedBytes).toBeLessThan(MAX_COMPRESSED_BYTES)
  expect(config).toMatchObject({ User: '10001:10001', Volumes: { '/data': {} }, WorkingDir: '/app' })
  expect(config.Healthcheck.Test).toEqual(['CMD', 'node', '/usr/local/lib/sortie/health.mjs'])
  expect(config.Labels).toMatchObject({
    'org.opencontainers.image.title': 'Sortie',
    'org.opencontainers.image.version': JSON.parse(readFileSync('package.json', 'utf8')).version,
    'org.opencontainers.image.revision': COMMIT,
    'org.opencontainers.image.base.name': expect.stringMatching(/^docker\.io\/library\/node:/),
  })
  expect(config.Env.filter((pair) => /secret|password|token/i.test(pair))).toEqual([])
})

test('the image holds packages of production with their bill of materials: no compiler, test tool, package manager or source of the product', () => {
  const inside = (name: string) => path.join(image.root, name)
  const all = readdirSync(inside('app'), { recursive: true, encoding: 'utf8' })
  expect(all.length).toBeGreaterThan(2_000)
  expect(all.filter((name) => !name.includes('node_modules/') && /\.(?:ts|tsx)$|\.env$/.test(name))).toEqual([])
  for (const name of ['vitest', 'typescript', 'rolldown', 'vite', '@playwright/test', 'react', 'knip'])
    expect(existsSync(inside(`app/node_modules/${name}`)), name).toBe(false)
  for (const name of ['npm', 'npx', 'corepack', 'yarn', 'gcc', 'cc', 'make', 'python3', 'git', 'curl'])
    expect(
      ['usr/local/bin', 'usr/bin', 'bin'].filter((each) => existsSync(inside(`${each}/${name}`))),
      name,
    ).toEqual([])
  const owners = all.map((name) => statSync(inside(`app/${name}`), { throwIfNoEntry: false })).filter(Boolean)
  expect(owners.filter((found) => found?.uid !== 0 || (found.mode & 0o022) !== 0)).toEqual([])
  const bill = JSON.parse(readFileSync(inside('usr/share/sortie/sbom.cdx.json'), 'utf8')) as {
    components: { name: string; licenses: unknown[] }[]
  }
  expect(bill.components.length).toBeGreaterThan(200)
  expect(bill.components.filter(({ licenses }) => !(licenses?.length > 0))).toEqual([])
  const version = JSON.parse(readFileSync(inside('app/server/dist/version.json'), 'utf8'))
  expect(version).toEqual({ version: JSON.parse(readFileSync('package.json', 'utf8')).version, commit: COMMIT })
})

test('a container with a read-only root and one volume serves a first use, is healthy, makes a backup, ends cleanly and starts again', async () => {
  const container = await start()
  await container.ready(180_000)
  await smoke(container)
  expect(await container.exec('node', '/usr/local/lib/sortie/health.mjs')).toMatchObject({ code: 0 })
  expect(await container.exec('sh', '-c', 'touch /app/x || touch /usr/x || touch /tmp/x')).toMatchObject({ code: 1 })
  expect((await container.exec('cat', '/proc/1/status')).out).toMatch(/^CapBnd:\t0+$/m)

  const command = (...words: string[]) => container.exec('operator', ...words)
  expect(await command('backup', '/data/backup')).toMatchObject({ code: 0 })
  expect(await command('verify', '/data/backup')).toMatchObject({ code: 0 })
  expect(await command('check-config')).toMatchObject({ code: 0, out: expect.stringMatching(/^DATA_DIR +\/data$/m) })
  // The programs of Postgres run where they are.
  expect(existsSync(path.join(container.dataDir, 'runtime'))).toBe(false)

  expect(await container.stop()).toEqual({ code: 0, signal: null })
  expect(postgresPid(container.dataDir)).toBeUndefined()
  expect(existsSync(path.join(container.dataDir, 'postgres/postmaster.pid'))).toBe(false)
  const again = await start({ data: container.dataDir })
  await again.ready(120_000)
  await signInAsOwner(again.origin)
  expect(await again.stop()).toEqual({ code: 0, signal: null })
})

test('process number 1 reaps what loses its parent, and a Postgres that is killed is started again', async () => {
  const container = await start()
  await container.ready(180_000)
  const { code } = await container.exec('sh', '-c', 'for each in 1 2 3 4 5; do (sleep 0.2 &) & done')
  expect(code).toBe(0)
  const postgres = /^(\d+)$/m.exec(readFileSync(path.join(container.dataDir, 'postgres/postmaster.pid'), 'utf8'))?.[1]
  expect(await container.exec('sh', '-c', `kill -9 ${postgres}`)).toMatchObject({ code: 0 })
  await eventually(async () => {
    expect(
      /^(\d+)$/m.exec(readFileSync(path.join(container.dataDir, 'postgres/postmaster.pid'), 'utf8'))?.[1],
    ).not.toBe(postgres)
    expect(await container.health()).toBe(200)
  })
  await container.reaped()
  expect(await container.stop()).toEqual({ code: 0, signal: null })
})

test('the server as process number 1, without the entry point, ends cleanly', async () => {
  const container = await start({ command: ['node', '/app/server/dist/main.js'] })
  await container.ready(180_000)
  expect((await container.exec('cat', '/proc/1/comm')).out).toMatch(/^node|^MainThread/)
  expect(await container.stop()).toEqual({ code: 0, signal: null })
})

test('with DATABASE_URL no Postgres is started, and the volume holds files only', async () => {
  const settings = await copyTemplate()
  const proxy = await FaultProxy.start(databaseAddress(settings))
  stage.add(() => proxy.close())
  const container = await start({ env: { DATABASE_URL: proxiedUrl(settings, proxy.port) } })
  await container.ready(120_000)
  await signInAsOwner(container.origin)
  expect(readdirSync(container.dataDir).includes('postgres')).toBe(false)
  expect(await container.stop()).toEqual({ code: 0, signal: null })
})

test('without settings the container ends with 78 and names them, and `init` writes a file that they can be read from', async () => {
  const empty = await start({ env: { SESSION_SECRET: '', ADMIN_PASSWORD: '' } })
  expect(await empty.exited).toEqual({ code: 78, signal: null })
  expect(empty.errorLines.join('\n')).toContain('SESSION_SECRET')
  const data = newVolume()
  mkdirSync(path.join(data, 'settings'))
  chownSync(path.join(data, 'settings'), UID, UID)
  const init = [...image.config.Entrypoint, 'init', '/data/settings/.env', '--url', 'https://sortie.example.com']
  const made = await start({ data, command: init })
  expect(await made.exited).toEqual({ code: 0, signal: null })
  const written = readFileSync(path.join(data, 'settings/.env'), 'utf8')
  expect(written).toMatch(/^FRONTEND_URL=https:\/\/sortie\.example\.com$/m)
  const refused = await start({ data, command: init })
  expect(await refused.exited).toEqual({ code: 78, signal: null })
  expect(readFileSync(path.join(data, 'settings/.env'), 'utf8')).toBe(written)
})
