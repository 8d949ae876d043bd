import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newEngagement } from '../support/files.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../support/server-clients.ts'
import { createStage, eventually } from '../support/server-process.ts'
import { copyTemplate } from '../support/test-app.ts'

const stage = createStage()
afterAll(() => stage.close())

const SERVICES = 20_000
/** A dead worker is noticed within 60 seconds. */
const DONE_WITHIN_MS = 180_000

/** Many services, each in two rows that stand far apart, and some that are none. */
const manyServices = (): string => {
  const row = (index: number, extra: string) => `{"ip":"10.${index >> 14}.${(index >> 7) & 127}.${index & 127}","port":443${extra}}`
  const rows = Array.from({ length: SERVICES }, (_, index) => row(index, ''))
  const again = Array.from({ length: SERVICES }, (_, index) => row(index, index % 4 === 0 ? ',"name":"https"' : ''))
  return [...rows, ...again, '{"ip":"300.0.0.1","port":1}', '{"ip":"10.0.0.1","po'].join('\n')
}

test('killed in the middle, an import is taken up again from its file and ends with the same counts', async () => {
  const storage = await mkdtemp(path.join(os.tmpdir(), 'sortie-imports-'))
  stage.add(async () => rmSync(storage, { recursive: true, force: true }))
  const env = { DATABASE_URL: databaseUrl(await copyTemplate()), STORAGE_PATH: storage }
  const api = await stage.server({ env: { ...env, SORTIE_ROLE: 'api' } })
  await api.ready()
  const key = await withNewKey(await signInAsOwner(api.origin), ['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
  const importInto = async (engagementId: string) => {
    const query = new URLSearchParams({ engagementId, fileName: 'many.jsonl' })
    const { body } = await key.request('POST', `/api/v1/imports?${query.toString()}`, { rawBody: manyServices() })
    return body.data.id as string
  }
  const read = async (id: string) => (await key.get(`/api/v1/imports/${id}`)).body.data
  const ended = (id: string) =>
    eventually(
      async () => {
        const found = await read(id)
        expect(['partial', 'failed', 'applied']).toContain(found.state)
        expect(found.progress).toBeNull()
      },
      DONE_WITHIN_MS,
      500,
    )

  const killed = await importInto(await newEngagement(key, 'Killed'))
  for (const share of [0.2, 0.6]) {
    const worker = await stage.server({ env: { ...env, SORTIE_ROLE: 'worker' } })
    await eventually(async () => expect((await read(killed)).progress?.done ?? Number.POSITIVE_INFINITY).toBeGreaterThan(share * 1_000_000), DONE_WITHIN_MS, 50)
    await worker.kill()
  }
  const last = await stage.server({ env: { ...env, SORTIE_ROLE: 'worker' } })
  await last.ready()
  await ended(killed)
  const undisturbed = await importInto(await newEngagement(key, 'Undisturbed'))
  await ended(undisturbed)
  const [one, other] = [await read(killed), await read(undisturbed)]
  expect(one.counts).toEqual(other.counts)
  expect(one.counts).toMatchObject({ results: { created: SERVICES, changed: 0 }, rejected: 2 })
  expect([one.state, one.stateReason]).toEqual([other.state, other.stateReason])
}, 600_000)
