import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { createStage, eventually, freePort } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner } from '../../support/clients/server-clients.ts'
import { mountSmallDisk } from '../../support/database/small-disk.ts'
import { asSuperuser, copyTemplate, newSuperuser } from '../../support/database/test-databases.ts'
import { endpointOf } from '../../support/webhooks/endpoints.ts'
import { openReceiver } from '../../support/webhooks/receiver.ts'
import { checkRules, startPrometheus } from './prometheus.ts'

const stage = createStage()
afterAll(() => stage.close())

const READY_MS = 100_000
/** A worker is silent after half a minute, and its absence is scraped within 15 seconds more. */
const FIRES_WITHIN_MS = 60_000

const HEALTHY = 'sortie-healthy'
const FULL = 'sortie-full'
const FAULTY = 'sortie'

test('each alert fires under its fault, and none for a healthy server next to it', { timeout: 300_000 }, async () => {
  expect(checkRules()).toContain('SUCCESS')
  const settings = await copyTemplate()
  const { database } = settings as { database: string }
  const receiver = await openReceiver()
  stage.add(() => receiver.close())
  receiver.answer = () => ({ status: 500 })
  const env = {
    DATABASE_URL: databaseUrl(settings),
    STORAGE_PATH: path.join(stage.directory(), 'uploads'),
    SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
    EGRESS_ALLOW: '127.0.0.1',
  }
  const smallDisk = mountSmallDisk(stage, 220)
  const faulty = await stage.server({ env: { ...env, SORTIE_ROLE: 'api' } })
  const worker = await stage.server({ env: { ...env, SORTIE_ROLE: 'worker' } })
  // Its own disk, since that of the machine may be nearly full.
  const healthy = await stage.server({ dataDir: `${mountSmallDisk(stage, 600).directory}/data` })
  const full = await stage.server({ dataDir: `${smallDisk.directory}/data` })
  await Promise.all([faulty, worker, healthy, full].map((server) => server.ready(READY_MS)))
  const ports = { [FAULTY]: faulty.port, [HEALTHY]: healthy.port, [FULL]: full.port }
  const prometheus = await startPrometheus(stage, ports)
  const fires = (...expected: string[]) =>
    eventually(async () => expect(await prometheus.firing()).toEqual(expect.arrayContaining(expected)), FIRES_WITHIN_MS)

  const onFull = await signInAsOwner(full.origin)
  const calm = await signInAsOwner(healthy.origin)
  for (let i = 0; i < 20; i++) expect((await calm.get('/api/web/engagements')).status).toBe(200)

  // Mails and webhooks fail while a worker runs.
  const owner = await signInAsOwner(faulty.origin)
  await endpointOf(owner, '/api/web', { url: receiver.url, events: ['engagement.created'] })
  expect((await owner.post('/api/web/engagements', { name: 'Contoso' })).status).toBe(201)
  const invite = (email: string) =>
    owner.post('/api/web/organizations/current/members/invite', { email, role: 'member' })
  expect((await invite('first@example.com')).status).toBe(201)
  await eventually(async () => {
    const { data } = (await owner.get('/api/web/instance')).body
    expect(data.components).toContainEqual(expect.objectContaining({ name: 'mail', status: 'unavailable' }))
    // Received is not yet recorded, and the worker is killed next.
    const endpoints = (await owner.get('/api/web/webhook-endpoints')).body.data
    expect(endpoints).toEqual([expect.objectContaining({ failingSince: expect.any(String) })])
  })

  // Then it dies; jobs wait, the oldest of them since eleven minutes ago.
  await worker.kill()
  const killedAt = performance.now()
  expect((await invite('second@example.com')).status).toBe(201)
  await asSuperuser(
    settings,
    `update pgboss.job set start_after = now() - interval '11 minutes' where name = 'deliver-mail' and state < 'active';
    insert into last_backup (taken_at, bytes) values (now() - interval '27 hours', 1000)`,
  )
  smallDisk.fill()
  const holder = await newSuperuser(settings)
  await holder.query('begin; lock table engagements in access exclusive mode')
  // The rate of a counter needs one value before the next.
  await eventually(async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => owner.get('/api/web/engagements')))
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503])
    expect(await prometheus.firing()).toEqual(
      expect.arrayContaining([`SortieErrors of ${FAULTY}`, `SortieSlowRequests of ${FAULTY}`]),
    )
  }, FIRES_WITHIN_MS)
  await holder.end()
  await eventually(async () => {
    const { body } = await owner.get('/api/health?verbose')
    expect(body.status).toBe('degraded')
    expect(body.components).toContainEqual(
      expect.objectContaining({ name: 'jobs', status: 'degraded', message: expect.stringContaining('No process') }),
    )
  }, FIRES_WITHIN_MS)
  expect(performance.now() - killedAt).toBeLessThan(hereMs(60_000))

  // O13: the server on the full disk says so, and still answers.
  const { body: health } = await onFull.get('/api/health?verbose')
  expect(health.components[0]).toEqual({
    name: 'database',
    status: 'degraded',
    message: expect.stringMatching(/^The disk of the database is full: /),
  })
  await fires(
    `SortieBackupTooOld of ${FAULTY}`,
    `SortieDatabaseFull of ${FULL}`,
    `SortieDiskNearlyFull of ${FULL}`,
    `SortieMailFailing of ${FAULTY}`,
    `SortieNoWorker of ${FAULTY}`,
    `SortieQueueTooOld of ${FAULTY}`,
    `SortieWebhooksFailing of ${FAULTY}`,
  )
  smallDisk.empty()
  expect((await onFull.get('/api/health?verbose')).body.components[0]).toMatchObject({ name: 'database', status: 'ok' })

  await asSuperuser(
    { ...settings, database: 'postgres' },
    `alter database ${database} allow_connections false;
    select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
  )
  await fires(`SortieDatabaseUnreachable of ${FAULTY}`)
  await faulty.kill()
  await fires(`SortieDown of ${FAULTY}`)

  expect(await prometheus.query(`last_over_time(ALERTS{alertstate="firing", job="${HEALTHY}"}[10m])`)).toEqual([])
  const seen = await prometheus.query(`{__name__=~"sortie_.*|up", job="${HEALTHY}"}`)
  const names = seen.map(({ metric }) => metric.__name__)
  for (const name of ['sortie_workers', 'sortie_disk_bytes', 'sortie_backup_age_seconds', 'sortie_mails', 'up'])
    expect(names).toContain(name)
})
