import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filePath } from '../../../src/platform/files/directory/receive.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement, upload } from '../../support/document/files.ts'

let app: TestApp
let key: TestClient

const V1 = '/api/v1'
/** More than the answer copies itself. */
const MANY = 9_500

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['organizations:read', 'organizations:write', 'targets:read', 'targets:write'])
})
afterAll(() => app.close())

const clone = async (id: string, include: readonly string[]): Promise<string> => {
  const { status, body, text } = await key.post(`${V1}/engagements/${id}/clone`, { name: 'Retest', include })
  expect(status, text).toBe(201)
  return body.data.id
}

const overview = async (id: string) => (await key.get(`${V1}/engagements/${id}/overview`)).body.data

const paste = async (engagementId: string, from: number, count: number): Promise<void> => {
  const text = Array.from(
    { length: count },
    (_, i) => `10.${(from + i) >> 16}.${((from + i) >> 8) & 255}.${(from + i) & 255}`,
  ).join('\n')
  expect((await key.post(`${V1}/targets/bulk`, { engagementId, text })).status).toBe(201)
}

const target = async (engagementId: string, q: string) =>
  (await key.get(`${V1}/targets?engagementId=${engagementId}&q=${q}`)).body.data[0]

describe('a clone of a large engagement', () => {
  test('is answered at once, and the rest follows: every target once, with its parent', async () => {
    const from = await newEngagement(key)
    await paste(from, 0, MANY)
    const [first, last] = [
      await target(from, '10.0.0.0'),
      await target(from, `10.0.${(MANY - 1) >> 8}.${(MANY - 1) & 255}`),
    ]
    expect((await key.patch(`${V1}/targets/${first.id}`, { parentId: last.id })).status).toBe(200)
    const to = await clone(from, ['scope', 'targets'])
    expect((await overview(to)).copying).toMatchObject({ from, part: 'targets', state: 'running', reason: null })
    const done = await eventually(async () => {
      const now = await overview(to)
      expect(now.copying).toBeNull()
      return now
    })
    expect(done.targets.byKind.ip).toBe(MANY)
    expect((await target(to, '10.0.0.0')).parentId).toBe((await target(to, last.canonical)).id)
  })

  test('ends with a reason if the new engagement is archived during the copy', async () => {
    const from = await newEngagement(key)
    await paste(from, 0, MANY)
    const to = await clone(from, ['targets'])
    for (const status of ['completed', 'archived'])
      expect((await key.patch(`${V1}/engagements/${to}`, { status })).status).toBe(200)
    await eventually(async () => {
      const { copying, targets } = await overview(to)
      // It may have finished before the engagement was archived.
      if (copying === null) expect(targets.byKind.ip).toBe(MANY)
      else
        expect(copying).toEqual({
          from,
          part: 'targets',
          state: 'failed',
          reason: 'This engagement is archived: reopen it first.',
        })
    })
  })
})

describe('a clone with vulnerabilities', () => {
  const create = async (engagementId: string, title: string, status: string, more: object = {}) => {
    const made = await key.post(`${V1}/results`, { engagementId, title, asset: '10.0.0.5', severity: 'high', ...more })
    expect(made.status, made.text).toBe(201)
    const { id } = made.body.data
    if (status !== 'open') expect((await key.patch(`${V1}/results/${id}`, { status })).status).toBe(200)
    return id as string
  }
  const listed = async (engagementId: string) =>
    (await key.get(`${V1}/results?engagementId=${engagementId}&perPage=100`)).body.data

  test('copies open, confirmed and accepted ones, with evidence, as retests of their originals', async () => {
    const from = await newEngagement(key)
    await paste(from, 5, 1)
    const { id: targetId } = await target(from, '10.0.0.5')
    const [open, confirmed, accepted] = [
      await create(from, 'Open one', 'open', { targetId, notes: 'seen twice', tags: ['web'] }),
      await create(from, 'Confirmed one', 'confirmed'),
      await create(from, 'Accepted one', 'accepted'),
    ]
    for (const status of ['fixed', 'false_positive']) await create(from, status, status)
    const proof = await upload(key, `${V1}/results/${open}/files`, 'proof of it', 'proof.txt')
    expect(proof.status).toBe(201)

    const to = await clone(from, ['targets', 'vulnerabilities'])
    const copies = await listed(to)
    expect(
      copies.map(({ title, status, retestOf }: Record<string, string>) => [title, status, retestOf]).toSorted(),
    ).toEqual([
      ['Accepted one', 'accepted', accepted],
      ['Confirmed one', 'confirmed', confirmed],
      ['Open one', 'open', open],
    ])
    const copy = copies.find(({ retestOf }: { retestOf: string }) => retestOf === open)
    expect(copy).toMatchObject({
      severity: 'high',
      tags: ['web'],
      notes: 'seen twice',
      assignee: null,
      targetId: (await target(to, '10.0.0.5')).id,
    })
    expect(copy.targetId).not.toBe(targetId)

    const files = (await key.get(`${V1}/results/${copy.id}/files`)).body.data
    expect(files).toMatchObject([{ fileName: 'proof.txt', sha256: proof.body.data.sha256 }])
    expect((await key.delete(`${V1}/results/${open}/files/${proof.body.data.id}`)).status).toBe(200)
    expect((await key.get(`${V1}/results/${copy.id}/files/${files[0].id}`)).text).toBe('proof of it')
  })

  test('with a file missing on disk is refused with 500, and the server stays up', async () => {
    const from = await newEngagement(key)
    const proof = await upload(
      key,
      `${V1}/results/${await create(from, 'Open one', 'open')}/files`,
      'proof of it',
      'proof.txt',
    )
    const { STORAGE_PATH: root } = app.platform.config
    rmSync(filePath({ root, organizationId: app.organization.id, fileId: proof.body.data.id }))
    // An uncaught error of its stream would fail this run.
    const refused = await key.post(`${V1}/engagements/${from}/clone`, { name: 'Retest', include: ['vulnerabilities'] })
    expect([refused.status, refused.body.error.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect((await key.get(`${V1}/engagements/${from}`)).status).toBe(200)
  })

  test('without targets has none, and copies nothing else', async () => {
    const from = await newEngagement(key)
    await paste(from, 5, 1)
    await create(from, 'Open one', 'open', { targetId: (await target(from, '10.0.0.5')).id })
    expect(await listed(await clone(from, ['vulnerabilities']))).toMatchObject([{ title: 'Open one', targetId: null }])
    expect(await listed(await clone(from, ['targets']))).toEqual([])
  })

  test('of more than one batch copies each once', async () => {
    const from = await newEngagement(key)
    const rows = Array.from({ length: 930 }, (_, i) => `Finding ${i},10.0.0.${i % 250},high`)
    const imported = await key.request('POST', `${V1}/imports?engagementId=${from}&fileName=a.csv&format=csv&wait=30`, {
      headers: { 'content-type': 'text/csv' },
      rawBody: ['title,host,severity', ...rows].join('\n'),
    })
    expect(imported.body.data.state).toBe('applied')
    const to = await clone(from, ['vulnerabilities'])
    await eventually(async () => expect((await overview(to)).copying).toBeNull())
    expect((await overview(to)).vulnerabilities.byStatus.open).toBe(
      (await overview(from)).vulnerabilities.byStatus.open,
    )
  })
})
