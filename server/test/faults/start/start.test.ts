import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { isNightly, nightly } from '../../support/app/nightly.ts'
import {
  ADMIN_PASSWORD,
  createStage,
  eventually,
  postgresPid,
  type ServerProcess,
} from '../../support/app/server-process.ts'
import { signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'

const stage = createStage()
afterEach(() => stage.close())
const kept = createStage()
afterAll(() => kept.close())

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const ENGAGEMENTS = '/api/v1/engagements'

const smoke = async ({ origin }: ServerProcess): Promise<void> => {
  const key = await withNewKey(await signInAsOwner(origin))
  expect((await key.post(ENGAGEMENTS, { name: 'Smoke' })).status).toBe(201)
  expect((await key.get('/api/v1/organizations/current')).body.data.memberCount).toBe(1)
}

/** Moments of a first start, in their order, as they are seen from outside. */
const MOMENTS: readonly ((server: ServerProcess) => unknown)[] = [
  ({ dataDir }) => existsSync(dataDir) && readdirSync(dataDir).some((name) => name.startsWith('postgres.new-')),
  ({ dataDir }) => existsSync(path.join(dataDir, 'postgres')),
  ({ dataDir }) => postgresPid(dataDir),
  ({ log }) => log.some(({ msg }) => msg.startsWith('Server listening')),
  ({ log }) => log.some(({ msg }) => msg === 'migrated'),
]
const reached = (server: ServerProcess, isNow: (server: ServerProcess) => unknown) =>
  eventually(() => expect(isNow(server)).toBeTruthy(), 60_000, 1)

let later: ServerProcess | undefined

/** A server on the remains of interrupted first starts, shared by all tests, which leave it intact. */
const startAfterInterruptions = async (): Promise<ServerProcess> => {
  if (later) return later
  let dataDir: string | undefined
  // A commit runs the moment with the most unfinished state.
  for (const isNow of isNightly ? MOMENTS : MOMENTS.slice(2, 3)) {
    const interrupted = await kept.server({ firstStart: true, ...(dataDir !== undefined && { dataDir }) })
    dataDir = interrupted.dataDir
    await reached(interrupted, isNow)
    await interrupted.kill()
  }
  const server = await kept.server({ dataDir: dataDir as string })
  await server.ready()
  later = server
  return server
}

describe('the first start', () => {
  test('creates the organization and its owner, prints its address and how to sign in, and opens no database port', async () => {
    const server = await stage.server({
      firstStart: true,
      env: {
        ADMIN_EMAIL: 'ada@example.org',
        ADMIN_PASSWORD: 'a password of ada',
        ORGANIZATION_NAME: 'Analytical Engines',
      },
    })
    await server.ready()
    await eventually(() => expect(server.stderr).toContain('Sign in as ada@example.org'))
    expect(server.stderr).toContain(`http://127.0.0.1:${server.port}`)
    expect(server.stderr + server.stdout).not.toContain('a password of ada')
    const owner = await signInAsOwner(server.origin, 'ada@example.org', 'a password of ada')
    const { body } = await owner.get('/api/web/organizations')
    expect(body.data).toMatchObject([{ name: 'Analytical Engines', role: 'owner' }])
    expect(listeningPorts(postgresPid(server.dataDir) as number)).toEqual([])
  })

  test.runIf(isNightly && isRoot)('works as an ordinary user', async () => {
    const home = stage.directory()
    chownSync(home, NOBODY, NOBODY)
    const server = await stage.server({ uid: NOBODY, dataDir: path.join(home, 'data') })
    await server.ready()
    await smoke(server)
  })

  test.runIf(isNightly && isRoot)(
    'works as root in a directory that only root can enter: Postgres runs as another user',
    async () => {
      const server = await stage.server({ dataDir: path.join(stage.directory(0o700), 'data') })
      await server.ready()
      await smoke(server)
      const status = readFileSync(`/proc/${postgresPid(server.dataDir)}/status`, 'utf8')
      expect(status).toMatch(/^Uid:\s+[1-9]/m)
    },
  )

  nightly("works below a path that is longer than a socket's may be", async () => {
    const dataDir = path.join(stage.directory(), 'a'.repeat(80), 'b'.repeat(80), 'data')
    mkdirSync(path.dirname(dataDir), { recursive: true })
    chmodSync(path.dirname(dataDir), 0o755)
    const server = await stage.server({ dataDir })
    await server.ready()
    await smoke(server)
    expect((await server.stop()).code).toBe(0)
    expect(postgresPid(dataDir)).toBeUndefined()
  })

  test('F8: interrupted at any moment, the next start works', async () => {
    await smoke(await startAfterInterruptions())
  })
})

nightly('SIGTERM during the first start leaves no Postgres behind', async () => {
  for (const isNow of MOMENTS) {
    const server = await stage.server({ firstStart: true })
    await reached(server, isNow)
    await server.stop()
    expect(postgresPid(server.dataDir)).toBeUndefined()
  }
})

describe('a later start', () => {
  test('prints where the password is, where mails are sent, and what may be reached; another on its port ends with one line and exit code 78', async () => {
    const first = await startAfterInterruptions()
    await eventually(() =>
      expect(first.stderr).toContain(
        'Sign in as admin@example.com; the password is in the environment variable ADMIN_PASSWORD',
      ),
    )
    expect(first.stderr + first.stdout).not.toContain(ADMIN_PASSWORD)
    expect(first.log.some(({ msg }) => msg.includes(path.join(first.dataDir, 'mail')))).toBe(true)
    expect(first.log.some(({ msg }) => msg === 'scans and requests may reach: public addresses')).toBe(true)
    const second = await stage.server({ port: first.port })
    expect((await second.exited).code).toBe(78)
    expect(second.errorLines).toEqual([`sortie: PORT: ${first.port} on 127.0.0.1 is in use by another program`])
    expect(postgresPid(second.dataDir)).toBeUndefined()
  })
})

describe('two servers on one data directory', () => {
  nightly(
    'started for the first time simultaneously both work; the first one that stops keeps Postgres running, the last one stops it',
    async () => {
      const dataDir = path.join(stage.directory(), 'data')
      const [one, two] = await Promise.all([stage.server({ dataDir }), stage.server({ dataDir })])
      await Promise.all([one.ready(), two.ready()])
      const key = await withNewKey(await signInAsOwner(one.origin))
      expect((await key.post(ENGAGEMENTS, { name: 'Seen by both' })).status).toBe(201)
      const onOther = Object.assign(key, { origin: two.origin })
      expect((await onOther.get(ENGAGEMENTS)).body.meta.total).toBe(1)
      expect((await one.stop()).code).toBe(0)
      expect((await onOther.get(ENGAGEMENTS)).status).toBe(200)
      expect((await two.stop()).code).toBe(0)
      expect(postgresPid(dataDir)).toBeUndefined()
    },
  )
})

/** Ports on which a process listens over TCP. */
const listeningPorts = (pid: number): string[] => {
  const inodes = new Set<string>()
  for (const table of ['tcp', 'tcp6']) {
    const file = `/proc/${pid}/net/${table}`
    if (!existsSync(file)) continue
    for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
      if (state === '0A') inodes.add(`${inode} ${local}`)
    }
  }
  const own = new Set(openSockets(pid))
  return [...inodes].filter((entry) => own.has(entry.split(' ')[0] as string))
}

/** Inodes of the sockets that a process has open. */
const openSockets = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? []
    return inode ? [inode] : []
  })

test('DATABASE_MEMORY_MB and DATABASE_POOL_SIZE: the embedded database has that memory, and connections for nine such servers', async () => {
  const server = await stage.server({ env: { DATABASE_MEMORY_MB: '48', DATABASE_POOL_SIZE: '3' } })
  await server.ready()
  const client = new pg.Client({ host: path.join(server.dataDir, 'postgres'), user: 'sortie', database: 'sortie' })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select current_setting('shared_buffers') as memory, current_setting('max_connections') as connections`,
    )
    expect(rows).toEqual([{ memory: '48MB', connections: '137' }])
  } finally {
    await client.end()
  }
})
