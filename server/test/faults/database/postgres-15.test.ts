import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isNightly, nightly } from '../../support/app/nightly.ts'
import { sortie } from '../../support/app/operator.ts'
import { createStage, eventually } from '../../support/app/server-process.ts'
import { signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import {
  databaseAt,
  databaseOfOrdinaryRole,
  oldestBinaries,
  queryAt,
  startExternalPostgres,
} from '../../support/database/external-postgres.ts'
import { SmtpSink } from '../../support/providers/smtp-sink.ts'

const stage = createStage()
afterAll(() => stage.close())

const startPostgres = () => startExternalPostgres(stage)

nightly('a server on an external Postgres of the oldest supported version serves everything', async () => {
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
  expect(
    (await key.post('/api/v1/organizations/current/members/invite', { email: 'old@example.com', role: 'admin' }))
      .status,
  ).toBe(201)
  const mail = await eventually(() => {
    const found = sink.mails.find(({ to }) => to?.[0]?.address === 'old@example.com')
    expect(found).toBeDefined()
    return found
  })
  const token = /token=([\w.-]+)/.exec(mail?.text ?? '')?.[1]
  const accepted = await key
    .with({ authorization: '' })
    .post('/api/web/invitations/accept', { token, name: 'Old', password: 'a password for a test' })
  expect(accepted.status).toBe(200)
  expect((await key.get('/api/v1/organizations/current/members?role=admin')).body.meta.total).toBe(1)
  const actions = (await owner.get('/api/web/audit')).body.data.map(({ action }: { action: string }) => action)
  expect(actions).toContain('engagement.created')
  expect((await server.stop()).code).toBe(0)
})

nightly('a database that does not exist, or a user without access, is one line and exit code 78', async () => {
  const url = await startPostgres()
  for (const wrong of [url.replace(/sortie$/, 'nothing'), url.replace('operator@', 'stranger@')]) {
    const server = await stage.server({ env: { DATABASE_URL: wrong } })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toEqual([
      expect.stringMatching(/^sortie: DATABASE_URL: the database refused the connection/),
    ])
  }
})

const refused = [
  expect.stringMatching(
    /^sortie: the database was restored from a dump, or copied: .* "npm run operator -- rekey" .* "npm run operator -- rekey --keep-keys"; /,
  ),
]

nightly(
  'F21: on a copy of the database no server starts and no command works before rekey, or rekey --keep-keys; a database moved by pg_upgrade is not a copy',
  async () => {
    const url = await startPostgres()
    const first = await stage.server({ env: { DATABASE_URL: url } })
    await first.ready()
    const key = await withNewKey(await signInAsOwner(first.origin))
    await first.stop()
    for (const copy of ['copy', 'kept'])
      await queryAt(databaseAt(url, 'postgres'), `create database ${copy} template sortie`)
    const starts = async (DATABASE_URL: string, status: number) => {
      const server = await stage.server({ env: { DATABASE_URL } })
      await server.ready()
      expect((await fetch(`${server.origin}/api/v1/organizations/current`, { headers: key.headers })).status).toBe(
        status,
      )
      await server.stop()
    }
    const DATABASE_URL = databaseAt(url, 'copy')
    const server = await stage.server({ env: { DATABASE_URL } })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toEqual(refused)
    const dataDir = stage.directory()
    expect(await sortie(['switch-sso-off', 'my-organization'], dataDir, { DATABASE_URL })).toMatchObject({ code: 78 })
    expect(await sortie(['rekey'], dataDir, { DATABASE_URL })).toMatchObject({ code: 0, err: '' })
    await starts(DATABASE_URL, 401)
    expect(await sortie(['rekey', '--keep-keys'], dataDir, { DATABASE_URL: databaseAt(url, 'kept') })).toMatchObject({
      code: 0,
      err: '',
    })
    await starts(databaseAt(url, 'kept'), 200)
    // The state after pg_upgrade: another installation, of a newer version, with the same numbers.
    await queryAt(url, "update database_identity set system_identifier = '1', postgres_major = 14")
    await starts(url, 200)
    expect(
      await queryAt(url, 'select * from database_identity where postgres_major > 14 and length(system_identifier) > 1'),
    ).toHaveLength(1)
    await starts(url, 200)
  },
)

test.runIf(isNightly && existsSync(path.join(oldestBinaries(), 'pg_dump')))(
  'F21: a dump is refused after pg_restore, also into the emptied original database, until rekey',
  async () => {
    const url = await startPostgres()
    const first = await stage.server({ env: { DATABASE_URL: url } })
    await first.ready()
    const key = await withNewKey(await signInAsOwner(first.origin))
    await first.stop()
    const file = path.join(stage.directory(), 'sortie.dump')
    const tool = (name: string, ...args: string[]) =>
      expect(spawnSync(path.join(oldestBinaries(), name), args).stderr.toString()).toBe('')
    tool('pg_dump', '-Fc', '-f', file, url)
    await queryAt(databaseAt(url, 'postgres'), 'create database elsewhere')
    tool('pg_restore', '--no-owner', '--exit-on-error', '-d', databaseAt(url, 'elsewhere'), file)
    await queryAt(url, 'drop schema pgboss cascade; drop schema public cascade; create schema public')
    tool('pg_restore', '--no-owner', '--exit-on-error', '-d', url, file)
    for (const DATABASE_URL of [databaseAt(url, 'elsewhere'), url]) {
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

test.runIf(isNightly && existsSync(path.join(oldestBinaries(), 'pg_dump')))(
  'O1: as documented, pg_dump fails for an ordinary role, and with --enable-row-security omits rows of organizations',
  async () => {
    const url = await startExternalPostgres(stage, ['fsync=off'])
    const own = await databaseOfOrdinaryRole(url, 'plain')
    const server = await stage.server({ env: { DATABASE_URL: own } })
    await server.ready()
    await server.stop()
    const dump = (...args: string[]) =>
      spawnSync(path.join(oldestBinaries(), 'pg_dump'), ['--data-only', '--table=memberships', ...args, own], {
        encoding: 'utf8',
      })
    expect(dump()).toMatchObject({ status: 1, stderr: expect.stringContaining('row-level security') })
    const { status, stdout, stderr } = dump('--enable-row-security')
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^COPY public\.memberships .*\n\\\.$/m)
    expect(await queryAt(databaseAt(url, 'plain'), 'select from memberships')).toHaveLength(1)
  },
)

nightly('F21: an ordinary role can also read the identity of its database', async () => {
  const url = await startPostgres()
  const own = await databaseOfOrdinaryRole(url, 'plain')
  const server = await stage.server({ env: { DATABASE_URL: own } })
  await server.ready()
  await server.stop()
  expect(await queryAt(own, 'select from database_identity')).toHaveLength(1)
})
