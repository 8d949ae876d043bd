import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { IN_SAFE_MODE } from '@sortie/contract/core/errors.ts'
import { afterAll, expect, inject, test } from 'vitest'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { sortie } from '../../support/app/operator.ts'
import { createStage, eventually, type ServerProcess } from '../../support/app/server-process.ts'
import { TestClient } from '../../support/app/test-client.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { databaseNamed } from '../../support/database/database-named.ts'
import { asSuperuser, copyTemplate } from '../../support/database/test-databases.ts'
import { engagementWith, portScan } from '../../support/scans/scans.ts'

const stage = createStage()
afterAll(() => stage.close())

/** Limit of O4 within which a running server notices `go-live`. */
const NOTICED_WITHIN_MS = 5_000

const envOf = (settings: ConnectionSettings, storage: string) => ({
  DATABASE_URL: databaseUrl(settings),
  STORAGE_PATH: storage,
})
const safeModeOf = async (owner: TestClient) =>
  (await owner.get('/api/web/account')).body.data.safeMode as { reason: string; isForced: boolean } | null
const mailsOf = (server: ServerProcess) => server.log.filter(({ destination }) => destination !== undefined).length

test('O4: a copy by create database ... template is refused until rekey; then API server and worker are in safe mode, and both notice go-live within seconds', async () => {
  const settings = await copyTemplate()
  const storage = stage.directory()
  const original = await stage.server({ env: envOf(settings, storage) })
  await original.ready()
  const owner = await signInAsOwner(original.origin)
  const key = await withNewKey(owner, ['organizations:read', 'organizations:write', 'targets:read', 'targets:write'])
  const { engagementId, ids } = await engagementWith(key, { targets: ['192.0.2.1'] })
  expect(await safeModeOf(owner)).toBeNull()
  expect((await original.stop()).code).toBe(0)
  const name = `${'database' in settings ? settings.database : ''}_copy`
  await asSuperuser(inject('postgres'), `create database ${name} template ${name.replace(/_copy$/, '')}`)
  const copied = databaseNamed(inject('postgres'), name)
  const files = path.join(stage.directory(), 'uploads')
  cpSync(storage, files, { recursive: true })
  const env = envOf(copied, files)
  const refused = await stage.server({ env })
  expect([(await refused.exited).code, refused.errorLines]).toEqual([
    78,
    [expect.stringContaining('Run "npm run operator -- rekey"')],
  ])
  const rekeyed = await sortie(['rekey', '--keep-keys'], stage.directory(), env)
  expect([rekeyed.err, rekeyed.code]).toEqual(['', 0])
  expect(rekeyed.out).toContain('The instance starts in safe mode')

  const api = await stage.server({ env: { ...env, SORTIE_ROLE: 'api' } })
  const worker = await stage.server({ env: { ...env, SORTIE_ROLE: 'worker' } })
  await Promise.all([api.ready(), worker.ready()])
  expect(api.stderr).toContain('SAFE MODE: ')
  const person = await signInAsOwner(api.origin)
  const program = new TestClient(api.origin, key.headers)
  expect(await safeModeOf(person)).toEqual({
    reason: 'The database was restored from a backup or a dump.',
    isForced: false,
  })
  const startScan = () => program.post('/api/v1/scans', { engagementId, scanners: [portScan([80])], targets: { ids } })
  expect((await startScan()).body.error).toEqual({ code: 'CONFLICT', message: IN_SAFE_MODE, statusCode: 409 })
  expect(
    (await person.post('/api/web/organizations/current/members/invite', { email: 'waits@example.com', role: 'member' }))
      .status,
  ).toBe(201)
  const live = await sortie(['go-live'], stage.directory(), env)
  expect([live.err, live.code]).toEqual(['', 0])
  expect(live.out).toMatch(/^This instance is live\. It was in safe mode: The database was restored/)
  await eventually(async () => expect((await startScan()).status).toBe(201), NOTICED_WITHIN_MS)
  await eventually(() => expect(mailsOf(worker)).toBeGreaterThanOrEqual(1), NOTICED_WITHIN_MS)
  expect(await safeModeOf(person)).toBeNull()
  expect((await sortie(['go-live'], stage.directory(), env)).out).toBe('This instance is already live.\n')
})

test('O4: with SAFE_MODE=true any instance is in safe mode; go-live does not end it and reports that, until the setting is removed', async () => {
  const settings = await copyTemplate()
  const env = envOf(settings, stage.directory())
  const forced = await stage.server({ env: { ...env, SAFE_MODE: 'true' } })
  await forced.ready()
  const owner = await signInAsOwner(forced.origin)
  expect(await safeModeOf(owner)).toEqual({ reason: 'SAFE_MODE=true is set.', isForced: true })
  const message =
    'SAFE_MODE=true keeps this instance in safe mode: remove it from the settings, and restart every process.'
  expect((await owner.post('/api/web/instance/go-live', {})).body.error).toMatchObject({ statusCode: 409, message })
  expect(await sortie(['go-live'], stage.directory(), { ...env, SAFE_MODE: 'true' })).toEqual({
    code: 1,
    out: '',
    err: `sortie: ${message}\n`,
  })
  expect((await forced.stop()).code).toBe(0)
  const server = await stage.server({ env })
  await server.ready()
  const again = await signInAsOwner(server.origin)
  expect(await safeModeOf(again)).toEqual({ reason: 'SAFE_MODE=true is set.', isForced: false })
  expect((await again.post('/api/web/instance/go-live', {})).status).toBe(200)
  await eventually(async () => expect(await safeModeOf(again)).toBeNull(), NOTICED_WITHIN_MS)
})

test('O4: a copy of the stopped server’s directories starts in safe mode elsewhere; the original does not', async () => {
  const first = await stage.server()
  await first.ready()
  expect(await safeModeOf(await signInAsOwner(first.origin))).toBeNull()
  expect((await first.stop()).code).toBe(0)
  const dataDir = path.join(stage.directory(), 'data')
  expect(spawnSync('cp', ['-a', first.dataDir, dataDir]).status).toBe(0)
  const [copy, original] = await Promise.all([stage.server({ dataDir }), stage.server({ dataDir: first.dataDir })])
  await Promise.all([copy.ready(), original.ready()])
  expect((await safeModeOf(await signInAsOwner(copy.origin)))?.reason).toMatch(/copied or restored/)
  expect(await safeModeOf(await signInAsOwner(original.origin))).toBeNull()
})
