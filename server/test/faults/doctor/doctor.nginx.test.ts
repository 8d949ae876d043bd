import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStage, freePort, type ServerProcess } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner } from '../../support/clients/server-clients.ts'
import { databaseAt, queryAt, startExternalPostgres } from '../../support/database/external-postgres.ts'
import { asSuperuser, copyTemplate } from '../../support/database/test-databases.ts'
import { certificate } from '../../support/network/tls-side.ts'
import { RedisServer } from '../outside/redis-server.ts'
import { AUTHORITY_FILE, examine, GOOD_BODIES, GOOD_HEADERS, startSites } from './doctor-stage.ts'

const GROUP_OF_SERVICE = 990

const isRoot = process.getuid?.() === 0

const stage = createStage()
afterAll(() => stage.close())
const SECRET = randomBytes(32).toString('base64')
/** On 80 and 443 of an address that no other test uses. */
const ELSEWHERE = '127.77.66.55'

let server: ServerProcess
let owner: Awaited<ReturnType<typeof signInAsOwner>>
let redis: RedisServer
let sites: Record<'good' | 'untrusted' | 'claims' | 'silent' | 'buffering' | 'host' | 'expired' | 'hsts', string>
/** Settings of the healthy set-up, and of every check of it. */
let healthy: Record<string, string>

/** A mail server with STARTTLS. */
const startMailServer = async (): Promise<number> => {
  const mails = new SMTPServer({
    ...certificate('trusted'),
    onAuth: ({ password }, _session, callback) =>
      password === 'right' ? callback(null, { user: 'sortie' }) : callback(new Error('wrong password')),
    onData: () => {
      throw new Error('doctor sent a mail')
    },
  })
  mails.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    mails.listen(0, '127.0.0.1', resolve)
  })
  stage.add(() => new Promise<void>((resolve) => mails.close(resolve)))
  return (mails.server.address() as AddressInfo).port
}

beforeAll(async () => {
  const port = await freePort()
  const bad = (location: string) => ({ location })
  const [mailPort, started] = await Promise.all([
    startMailServer(),
    startSites(stage, port, {
      good: {},
      untrusted: {},
      claims: bad(`proxy_set_header Host $host; ${GOOD_BODIES}`),
      silent: bad(`proxy_set_header Host $host; proxy_set_header X-Forwarded-For ""; ${GOOD_BODIES}`),
      buffering: { server: '', location: `${GOOD_HEADERS} proxy_ignore_headers X-Accel-Buffering;` },
      host: bad('proxy_set_header Host sortie.internal;'),
      expired: { certificate: 'expired' },
      hsts: bad(`${GOOD_HEADERS} proxy_hide_header Strict-Transport-Security;`),
    }),
  ])
  sites = started
  redis = await RedisServer.start(stage)
  healthy = {
    SESSION_SECRET: SECRET,
    FRONTEND_URL: sites.good,
    TRUST_PROXY: '127.0.0.1',
    SMTP_URL: `smtp://sortie:right@127.0.0.1:${mailPort}`,
    MAIL_FROM: 'Sortie <no-reply@northwind.test>',
    REDIS_URL: redis.url,
  }
  server = await stage.server({ port, env: { ...healthy, NODE_EXTRA_CA_CERTS: AUTHORITY_FILE } })
  await server.ready()
  owner = await signInAsOwner(server.origin)
  await onEmbedded(`insert into last_backup (taken_at, bytes) values (now() - interval '3 hours', 1000)`)
  await onEmbedded(`insert into passkeys (id, user_id, name, credential_id, public_key, sign_count, transports, created_at)
    select 'pky_' || repeat('0', 26), id, 'key', '\\x01', '\\x02', 0, '{}', now() from users`)
})

const onEmbedded = async (statement: string): Promise<void> => {
  const client = new pg.Client({ host: path.join(server.dataDir, 'postgres'), user: 'sortie', database: 'sortie' })
  await client.connect()
  try {
    await client.query(`set sortie.organization = '*'; set sortie.viewer = '*'; ${statement}`)
  } finally {
    await client.end()
  }
}

const examineWith = (env: Record<string, string>) => examine(server.dataDir, { ...healthy, ...env })

/** Statuses by name, of those that are not ok. */
const notOk = (checks: readonly { name: string; status: string }[]) =>
  Object.fromEntries(checks.filter(({ status }) => status !== 'ok').map(({ name, status }) => [name, status]))

describe('doctor', () => {
  test('finds no problem in a healthy set-up behind nginx, as command and in the web interface', async () => {
    const { code, checks, of } = await examineWith({})
    const waits = of('workers').found === 'No worker has run yet.' ? { workers: 'warning' } : {}
    const space = Object.fromEntries(
      checks
        .filter(({ name, status }) => name.endsWith('-space') && status !== 'ok')
        .map(({ name }) => [name, 'warning']),
    )
    expect(notOk(checks)).toEqual({ ...waits, ...space })
    expect(code).toBe(0)
    const web = (await owner.post('/api/web/instance/doctor')).body.data.checks
    expect(notOk(web)).toEqual({ ...waits, ...space })
    expect(web.map(({ name }: { name: string }) => name)).toEqual(checks.slice(1).map(({ name }) => name))
  })

  test.each([
    ['claims', 'proxy-headers', /as the client sent it/, 'proxy_set_header X-Forwarded-For $remote_addr'],
    ['silent', 'proxy-headers', /sends no X-Forwarded-For/, 'proxy_set_header X-Forwarded-For $remote_addr'],
    ['buffering', 'event-streams', /collects event streams/, 'proxy_buffering off'],
    ['buffering', 'upload-size', /refuses files of \d+ bytes with 413/, 'client_max_body_size 0'],
    ['host', 'public-address', /changes the Host header/, 'proxy_set_header Host $host'],
    ['expired', 'certificate', /expired \d+ days ago/, 'renew it'],
    ['hsts', 'hsts', /removes Strict-Transport-Security/, 'proxy_hide_header'],
  ] as const)('names the fault of the site of nginx "%s" (%s), with its fix', async (site, name, found, fix) => {
    const { of } = await examinedSite(site)
    expect([of(name).status, of(name).found]).toEqual([
      name === 'hsts' ? 'warning' : 'problem',
      expect.stringMatching(found),
    ])
    expect(of(name).fix).toContain(fix)
  })

  test('names a proxy that TRUST_PROXY lacks', async () => {
    const untrusting = await stage.server({
      env: { ...healthy, TRUST_PROXY: '10.9.9.9', DATABASE_URL: databaseUrl(await copyTemplate()) },
    })
    await untrusting.ready()
    const { good } = await startSites(stage, untrusting.port, { good: {} })
    const { code, of } = await examineWith({ FRONTEND_URL: good, TRUST_PROXY: '10.9.9.9' })
    expect(code).toBe(1)
    expect(of('proxy-headers')).toMatchObject({ status: 'problem', fix: 'TRUST_PROXY=10.9.9.9,127.0.0.1' })
  })

  test('names a wrong FRONTEND_URL, a clock that is off there, and a certificate that browsers refuse', async () => {
    const other = createServer(certificate('self-signed'), (_request, response) => {
      response.sendDate = false
      response.writeHead(404, { date: new Date(Date.now() + 3_600_000).toUTCString() }).end('another program')
    })
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve)
    })
    stage.add(() => other.close())
    const { code, of } = await examineWith({
      FRONTEND_URL: `https://127.0.0.1:${(other.address() as AddressInfo).port}`,
    })
    expect(code).toBe(1)
    expect(of('public-address')).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('another program answers (status 404)'),
      fix: expect.stringContaining('set FRONTEND_URL'),
    })
    expect(of('proxy-clock')).toMatchObject({
      status: 'problem',
      found: expect.stringMatching(/differs from this one by 3\d{3} seconds/),
      fix: expect.stringContaining('timedatectl set-ntp true'),
    })
    expect(of('certificate')).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('Browsers refuse'),
      fix: expect.stringContaining('fullchain.pem'),
    })
    expect(of('proxy-headers').found).toContain('Not checked')
  })

  test.runIf(isRoot)('names a plain HTTP port that does not redirect to HTTPS', async () => {
    await startSites(stage, server.port, {
      plain: { listen: `listen ${ELSEWHERE}:80; listen ${ELSEWHERE}:443 ssl;` },
    }).catch(() => undefined)
    const { of } = await examineWith({ FRONTEND_URL: `https://${ELSEWHERE}` })
    expect(of('https-redirect')).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('does not redirect to HTTPS'),
      fix: expect.stringContaining('return 301 https://$host$request_uri'),
    })
  })

  test('names what is wrong with services, settings and the machine, all in one run', async () => {
    await redis.command('config', 'set', 'maxmemory-policy', 'allkeys-lru')
    const settings = path.join(stage.directory(), 'env')
    writeFileSync(settings, 'SAFE_MODE=true\n')
    chmodSync(settings, 0o644)
    const file = path.join(stage.directory(), 'a-file')
    writeFileSync(file, '')
    const { code, of } = await examineWith({
      ENV_FILE: settings,
      SESSION_SECRET: 'change me since people can guess this secret',
      FRONTEND_URL: 'http://nowhere.invalid',
      SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
      MAIL_FROM: 'Sortie <no-reply@localhost>',
      DNS_SERVERS: `127.0.0.1:${await freePort()}`,
      EGRESS_ALLOW: `169.254.169.254,10.0.0.0/8,127.0.0.1:${server.port}`,
      PORT: String(server.port),
      OVERLOAD_HEAP_MB: '1000000',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      STORAGE_PATH: path.join(file, 'uploads'),
    })
    expect(code).toBe(1)
    const expected: [string, 'warning' | 'problem', RegExp, string][] = [
      ['redis', 'warning', /maxmemory-policy allkeys-lru/, 'CONFIG SET maxmemory-policy volatile-ttl'],
      ['settings-file', 'problem', /has mode 644/, `chmod 600 ${settings}`],
      ['session-secret', 'problem', /easy to guess/, 'head -c 32 /dev/urandom'],
      ['certificate', 'problem', /passwords travel unencrypted/, 'FRONTEND_URL=https://nowhere.invalid'],
      ['dns', 'problem', /No name server of DNS_SERVERS answers/, 'correct DNS_SERVERS'],
      ['public-address', 'problem', /does not answer/, 'set FRONTEND_URL'],
      ['mail', 'problem', /cannot be used: .*ECONNREFUSED/, 'correct SMTP_URL'],
      ['mail-sender', 'warning', /receivers refuse that domain/, 'MAIL_FROM='],
      ['egress-metadata', 'problem', /169\.254\.169\.254/, 'remove 169.254.169.254 from EGRESS_ALLOW'],
      ['egress', 'problem', /own services/, `remove 127.0.0.1:${server.port}`],
      ['memory', 'problem', /heap may grow to 1000000 MB/, '--max-old-space-size='],
      ['node-flags', 'problem', /NODE_TLS_REJECT_UNAUTHORIZED=0/, 'remove it'],
      ['storage', 'problem', /a part of the path is a file/, 'correct STORAGE_PATH'],
      ['safe-mode', 'warning', /SAFE_MODE=true/, 'remove SAFE_MODE'],
    ]
    for (const [name, status, found, fix] of expected) {
      expect(of(name), name).toMatchObject({ status, found: expect.stringMatching(found) })
      expect(of(name).fix, name).toContain(fix)
    }
    await redis.command('config', 'set', 'maxmemory-policy', 'noeviction')
  })

  test('names a wrong password of the mail server, a name without an address, and a Redis that refuses', async () => {
    const { of } = await examineWith({
      SMTP_URL: (healthy['SMTP_URL'] as string).replace('right', 'wrong'),
      FRONTEND_URL: 'https://nowhere.invalid',
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    })
    expect(of('mail')).toMatchObject({ status: 'problem', fix: 'correct user and password in SMTP_URL' })
    expect(of('dns')).toMatchObject({ status: 'problem', found: expect.stringContaining('does not resolve') })
    expect(of('redis')).toMatchObject({ status: 'problem', fix: 'correct REDIS_URL, or start Redis' })
  })

  test('names what is wrong in the database: no administrator, old backup, safe mode, foreign files, no worker, fsync', async () => {
    const settings = await copyTemplate()
    await asSuperuser(
      settings,
      `insert into last_backup (taken_at, bytes) values (now() - interval '5 days', 1000);
       insert into storage_binding (storage_id, beat, beat_token, bound_at) values ('one', 0, '', now());
       insert into safe_mode (reason, since) values ('The database was copied.', now())`,
    )
    const files = path.join(stage.directory(), 'uploads')
    mkdirSync(files, { mode: 0o755 })
    chmodSync(files, 0o755)
    writeFileSync(path.join(files, '.sortie-storage.json'), JSON.stringify({ storage: 'another' }))
    writeFileSync(
      path.join(files, '.sortie-storage-beat.json'),
      JSON.stringify({ beat: 1, token: 'x', at: '2026-01-01T00:00:00.000Z' }),
    )
    const file = path.join(stage.directory(), 'env')
    writeFileSync(file, '')
    chmodSync(file, 0o640)
    if (isRoot) chownSync(file, 0, GROUP_OF_SERVICE)
    const { code, of } = await examineWith({
      DATABASE_URL: databaseUrl(settings),
      STORAGE_PATH: files,
      ENV_FILE: file,
    })
    expect(code).toBe(1)
    // Settings of a service belong to root, and its group reads them.
    if (isRoot) expect(of('settings-file')).toMatchObject({ status: 'ok', found: expect.stringContaining('group 990') })
    const expected: [string, 'warning' | 'problem', RegExp, string][] = [
      ['administrators', 'problem', /No account administers/, 'grant-admin <email>'],
      ['backup', 'problem', /last backup is 120 hours old/, 'backup <directory> --keep 14'],
      ['safe-mode', 'warning', /The database was copied\./, 'go-live'],
      ['storage', 'warning', /has mode 755/, `chmod 700 ${files}`],
      ['storage-binding', 'problem', /belongs to another database/, 'bind-storage'],
      ['workers', 'problem', /No worker has run since/, 'SORTIE_ROLE=worker'],
      ['database-settings', 'problem', /fsync is off/, 'ALTER SYSTEM SET fsync = on'],
    ]
    for (const [name, status, found, fix] of expected) {
      expect(of(name), name).toMatchObject({ status, found: expect.stringMatching(found) })
      expect(of(name).fix, name).toContain(fix)
    }
  })

  test('names a Postgres with few connections, another encoding, a superuser, and a role without rights', async () => {
    const url = await startExternalPostgres(stage, [
      'fsync=off',
      'max_connections=14',
      'superuser_reserved_connections=2',
    ])
    const admin = databaseAt(url, 'postgres')
    await queryAt(admin, 'create role weak login')
    await queryAt(admin, `create database latin encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`)
    const few = await examineWith({ DATABASE_URL: databaseAt(url, 'latin') })
    expect(few.of('database-connections')).toMatchObject({
      status: 'problem',
      found: 'Postgres allows 14 connections, and one server uses up to 20.',
      fix: expect.stringContaining('ALTER SYSTEM SET max_connections'),
    })
    expect(few.of('database-encoding')).toMatchObject({ status: 'problem', fix: expect.stringContaining('UTF8') })
    expect(few.of('database-role')).toMatchObject({ status: 'warning', fix: expect.stringContaining('CREATE ROLE') })
    expect(few.of('database-schema')).toMatchObject({ status: 'warning', found: 'The database is empty.' })
    const weak = Object.assign(new URL(databaseAt(url, 'latin')), { username: 'weak' }).toString()
    const { code, of } = await examineWith({ DATABASE_URL: weak })
    expect(code).toBe(1)
    expect(of('database-role')).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('The role weak may not create tables in the database latin'),
      fix: expect.stringContaining('ALTER DATABASE "latin" OWNER TO "weak"'),
    })
  })

  test('without a database it still runs every check, and names the settings that keep it from reading the others', async () => {
    const { code, checks, of } = await examineWith({ DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/sortie` })
    expect(code).toBe(1)
    expect(of('database')).toMatchObject({ status: 'problem', fix: 'correct DATABASE_URL, or start Postgres' })
    expect(of('administrators').found).toBe('Not checked: the database does not answer.')
    expect(of('mail').status).toBe('ok')
    expect(checks.length).toBeGreaterThanOrEqual(35)
    const wrong = await examineWith({ PORT: 'none', LOG_LEVEL: 'loud' })
    expect(wrong.code).toBe(1)
    expect(wrong.checks.map(({ name, found }) => [name, found.split(':', 1)[0]])).toEqual([
      ['settings', 'LOG_LEVEL'],
      ['settings', 'PORT'],
    ])
  })

  test('names few file descriptors, and prints a line for each check with its fix', async () => {
    const command = `ulimit -n 900 && exec node_modules/.bin/node server/dist/operator.js doctor`
    const { stdout, status } = spawnSync('bash', ['-c', command], {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        ENV_FILE: '',
        ...healthy,
        FRONTEND_URL: 'https://127.0.0.1:9',
        DATA_DIR: server.dataDir,
        STORAGE_PATH: path.join(server.dataDir, 'uploads'),
      },
    })
    expect(status).toBe(1)
    expect(stdout).toMatch(
      /^problem {2}descriptors +This command may open 900 files and connections\.\n +Fix: LimitNOFILE=65536/m,
    )
    expect(stdout).toMatch(/^\d+ ok, \d+ warnings, [1-9]\d* problems$/m)
    expect(stdout).not.toContain(SECRET)
  })

  test.runIf(isRoot)('names storage that is mounted read-only, and a disk that is nearly full', async () => {
    const directory = stage.directory()
    const mount = (...options: string[]) => spawnSync('mount', ['-t', 'tmpfs', ...options, 'sortie-test', directory])
    expect(mount('-o', 'size=1m,ro').status).toBe(0)
    stage.add(() => spawnSync('umount', ['--lazy', directory]))
    const { of } = await examineWith({ STORAGE_PATH: directory })
    expect(of('storage')).toMatchObject({ status: 'problem', found: expect.stringContaining('mounted read-only') })
    expect(of('storage').fix).toContain('mount it read-write')
    expect(of('storage-space')).toMatchObject({ status: 'problem', found: expect.stringContaining('0.0 GB are free') })
  })

  test('its routes do not exist for requests without its signature, and it changes nothing', async () => {
    for (const headers of [{}, { 'x-sortie-doctor': `${Date.now()}.${'x'.repeat(43)}` }]) {
      const answer = await fetch(`${server.origin}/api/health/doctor`, { headers })
      expect(answer.status).toBe(404)
    }
    expect(readFileSync(path.join(server.dataDir, 'uploads/.sortie-storage.json'), 'utf8')).toContain('storage')
    expect((await owner.get('/api/web/instance/mails')).body.data).toEqual([])
  })
})

const examined = new Map<string, ReturnType<typeof examine>>()
/** Of one run for each site. */
const examinedSite = (site: keyof typeof sites): ReturnType<typeof examine> => {
  const run = examined.get(site) ?? examineWith({ FRONTEND_URL: sites[site] })
  examined.set(site, run)
  return run
}
