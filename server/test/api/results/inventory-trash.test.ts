import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyResultTrash } from '../../../src/features/results/undo/undo.service.ts'
import { emptyScopeTrash } from '../../../src/features/scope/undo/undo.service.ts'
import { emptyTargetTrash } from '../../../src/features/targets/undo/undo.service.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { unknownId } from '../../support/walks/walk.ts'

let app: TestApp
let owner: TestClient & { user: { id: string } }
let member: TestClient & { user: { id: string } }
const WEB = '/api/web'
const DAY_MS = 24 * 60 * 60 * 1000

beforeAll(async () => {
  app = await testApp({ workers: true })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
})
afterAll(() => app.close())

const engagement = async (): Promise<string> => (await owner.post(`${WEB}/engagements`, { name: 'Trash' })).body.data.id

const made = async (path: string, body: object) => {
  const response = await owner.post(`${WEB}${path}`, body)
  expect(response.status, response.text).toBe(201)
  return response.body.data
}
const read = async (path: string) => {
  const response = await owner.get(`${WEB}${path}`)
  expect(response.status, response.text).toBe(200)
  return response.body.data
}
const restore = async (type: string, ids: string[], client: TestClient = owner) =>
  client.post(`${WEB}/${type}/bulk-restore`, { ids })
const later = (days: number) => ({
  ...app.platform,
  clock: { now: () => app.clock.now() + days * DAY_MS, monotonic: () => app.clock.monotonic() },
})
const importOf = async (engagementId: string, text: string) => {
  const response = await owner.request(
    'POST',
    `${WEB}/imports?engagementId=${engagementId}&fileName=scan.list&wait=30`,
    { rawBody: text },
  )
  expect(response.body.data.state, response.text).toBe('applied')
  return response.body.data
}

describe('the trash of scope rules', () => {
  test('a rule in the trash decides nothing; restoring it is a change of scope, audited, and only for those who may change the scope', async () => {
    const engagementId = await engagement()
    const rule = await made('/scope-rules', { engagementId, effect: 'allow', pattern: '*.example.com' })
    const target = await made('/targets', { engagementId, value: 'www.example.com' })
    expect(target.verdict).toBe('in')
    const verdicts = async () => {
      const check = await owner.post(`${WEB}/scope-rules/check`, { engagementId, values: ['www.example.com'] })
      return [(await read(`/targets/${target.id}`)).verdict, check.body.data[0].verdict]
    }
    expect((await owner.delete(`${WEB}/scope-rules/${rule.id}`)).status).toBe(200)
    expect(await verdicts()).toEqual(['unknown', 'unknown'])
    expect(await read(`/scope-rules?engagementId=${engagementId}`)).toEqual([])
    expect(await read(`/scope-rules?engagementId=${engagementId}&trashed=true`)).toMatchObject([
      { id: rule.id, trashedAt: expect.any(String) },
    ])
    expect((await owner.patch(`${WEB}/scope-rules/${rule.id}`, { effect: 'deny' })).status).toBe(404)
    const clone = await made(`/engagements/${engagementId}/clone`, { name: 'Clone', include: ['scope'] })
    expect(await read(`/scope-rules?engagementId=${clone.id}`)).toEqual([])

    expect((await restore('scope-rules', [rule.id], member)).status).toBe(403)
    expect(await verdicts()).toEqual(['unknown', 'unknown'])
    expect((await restore('scope-rules', [rule.id, unknownId('scp')])).body.data).toEqual({ restored: 1, skipped: 0 })
    expect(await verdicts()).toEqual(['in', 'in'])
    expect(await read(`/scope-rules?engagementId=${engagementId}`)).toEqual([rule])
    const [entry] = await read('/audit?action=scope-rules.restored&perPage=1')
    expect(entry.after).toEqual({ restored: 1, patterns: { allow: ['*.example.com'] } })
  })

  test('a rule whose pattern has a rule again stays in the trash: an old allow never replaces a new deny', async () => {
    const engagementId = await engagement()
    const old = await made('/scope-rules', { engagementId, effect: 'allow', pattern: 'pay.example.com' })
    await owner.delete(`${WEB}/scope-rules/${old.id}`)
    await made('/scope-rules', { engagementId, effect: 'deny', pattern: 'pay.example.com' })
    expect((await restore('scope-rules', [old.id])).body.data).toEqual({ restored: 0, skipped: 1 })
    expect(await read(`/scope-rules?engagementId=${engagementId}`)).toMatchObject([{ effect: 'deny' }])
  })

  test('effects are given back, except those of rules that changed since; nothing changes in an archived engagement', async () => {
    const engagementId = await engagement()
    const [a, b] = [
      await made('/scope-rules', { engagementId, effect: 'allow', pattern: 'a.example.com' }),
      await made('/scope-rules', { engagementId, effect: 'caution', pattern: 'b.example.com' }),
    ]
    const target = await made('/targets', { engagementId, value: 'a.example.com' })
    const changed = await owner.post(`${WEB}/scope-rules/bulk-update`, {
      filter: { engagementId },
      set: { effect: 'deny' },
      withUndo: true,
    })
    expect(changed.body.data.updated).toBe(2)
    await owner.patch(`${WEB}/scope-rules/${b.id}`, { note: 'since' })
    const items = changed.body.data.undo
    expect((await member.post(`${WEB}/scope-rules/bulk-revert`, { items })).status).toBe(403)
    expect((await owner.post(`${WEB}/scope-rules/bulk-revert`, { items })).body.data).toEqual({
      updated: 1,
      skipped: 1,
    })
    expect((await read(`/targets/${target.id}`)).verdict).toBe('in')
    expect((await owner.post(`${WEB}/scope-rules/bulk-delete`, { ids: [a.id], withUndo: true })).body.data).toEqual({
      deleted: 1,
      ids: [a.id],
    })
    await owner.patch(`${WEB}/engagements/${engagementId}`, { status: 'completed' })
    expect((await owner.patch(`${WEB}/engagements/${engagementId}`, { status: 'archived' })).status).toBe(200)
    expect((await restore('scope-rules', [a.id])).status).toBe(409)
    await emptyScopeTrash(later(31))
    expect(await read(`/scope-rules?engagementId=${engagementId}&trashed=true`)).toEqual([])
  })
})

describe('the trash of targets', () => {
  test('a deleted target is in no list, count, search, export or parent, and comes back with its results and the targets below it', async () => {
    const engagementId = await engagement()
    await made('/scope-rules', { engagementId, effect: 'allow', pattern: 'zebra.example.com' })
    const target = await made('/targets', { engagementId, value: 'zebra.example.com', tags: ['x'], notes: 'kept' })
    const child = await made('/targets', { engagementId, value: 'https://zebra.example.com/', parentId: target.id })
    const result = await made('/results', {
      engagementId,
      title: 'Finding',
      targetId: target.id,
      asset: 'zebra.example.com',
      severity: 'high',
    })
    const before = await read(`/targets/${target.id}`)
    expect((await owner.delete(`${WEB}/targets/${target.id}`)).status).toBe(200)
    expect((await owner.get(`${WEB}/targets/${target.id}`)).status).toBe(404)
    expect((await read(`/targets?engagementId=${engagementId}`)).map(({ id }: { id: string }) => id)).toEqual([
      child.id,
    ])
    expect((await read(`/engagements/${engagementId}/overview`)).targets.byVerdict.in).toBe(1)
    expect((await read(`/targets/${child.id}`)).parentId).toBeNull()
    expect((await read(`/results/${result.id}`)).targetId).toBeNull()
    expect((await read(`/search?q=zebra&type=target`)).map(({ id }: { id: string }) => id)).toEqual([child.id])
    expect((await owner.get(`${WEB}/targets/export?format=txt&engagementId=${engagementId}`)).text).toBe(
      'https://zebra.example.com/\n',
    )
    expect(await read(`/targets?engagementId=${engagementId}&trashed=true`)).toMatchObject([
      { id: target.id, verdict: 'unknown' },
    ])
    expect(
      (await owner.post(`${WEB}/results`, { engagementId, title: 'x', targetId: target.id, severity: 'low' })).status,
    ).toBe(422)

    expect((await restore('targets', [target.id])).body.data).toEqual({ restored: 1, skipped: 0 })
    expect(await read(`/targets/${target.id}`)).toEqual(before)
    expect((await read(`/targets/${child.id}`)).parentId).toBe(target.id)
    expect(await read(`/results/${result.id}`)).toMatchObject({ targetId: target.id, verdict: 'in' })
  })

  test('a target that exists again stays in the trash, and its results stay with the new one', async () => {
    const engagementId = await engagement()
    const old = await made('/targets', { engagementId, value: '192.0.2.7' })
    await importOf(engagementId, 'open tcp 80 192.0.2.7 1795336815')
    const [service] = await read(`/results?engagementId=${engagementId}&kind=service`)
    expect(service.targetId).toBe(old.id)
    await owner.post(`${WEB}/targets/bulk-delete`, { filter: { engagementId }, withUndo: true })
    await importOf(engagementId, 'open tcp 80 192.0.2.7 1795336816')
    const [fresh] = await read(`/targets?engagementId=${engagementId}`)
    expect(fresh.id).not.toBe(old.id)
    expect((await read(`/results/${service.id}`)).targetId).toBe(fresh.id)
    expect((await restore('targets', [old.id])).body.data).toEqual({ restored: 0, skipped: 1 })
  })

  test('a restored parent is not put above a target that it is below by now', async () => {
    const engagementId = await engagement()
    const top = await made('/targets', { engagementId, value: 'top.example.com' })
    const parent = await made('/targets', { engagementId, value: 'parent.example.com', parentId: top.id })
    const child = await made('/targets', { engagementId, value: 'child.example.com', parentId: parent.id })
    await owner.delete(`${WEB}/targets/${parent.id}`)
    expect((await owner.patch(`${WEB}/targets/${top.id}`, { parentId: child.id })).status).toBe(200)
    expect((await restore('targets', [parent.id])).body.data).toEqual({ restored: 1, skipped: 0 })
    expect((await read(`/targets/${child.id}`)).parentId).toBeNull()
    expect((await read(`/targets/${parent.id}`)).parentId).toBe(top.id)
  })

  test('tags and criticality are given back; after 30 days a target is gone for good', async () => {
    const engagementId = await engagement()
    const target = await made('/targets', {
      engagementId,
      value: 'a.example.com',
      tags: ['b', 'a'],
      criticality: 'low',
    })
    const set = { criticality: 'high', addTags: ['c'], removeTags: ['a'] }
    const { undo } = (await owner.post(`${WEB}/targets/bulk-update`, { filter: { engagementId }, set, withUndo: true }))
      .body.data
    expect((await owner.post(`${WEB}/targets/bulk-revert`, { items: undo })).body.data).toEqual({
      updated: 1,
      skipped: 0,
    })
    expect(await read(`/targets/${target.id}`)).toMatchObject({ tags: ['b', 'a'], criticality: 'low' })
    expect((await owner.post(`${WEB}/targets/bulk-revert`, { items: undo })).body.data).toEqual({
      updated: 0,
      skipped: 1,
    })
    await owner.delete(`${WEB}/targets/${target.id}`)
    await emptyTargetTrash(later(29))
    expect(await read(`/targets?engagementId=${engagementId}&trashed=true`)).toHaveLength(1)
    await emptyTargetTrash(later(31))
    expect(await read(`/targets?engagementId=${engagementId}&trashed=true`)).toEqual([])
  })
})

describe('the trash of results', () => {
  test('a deleted result is in no list, count, search, comparison or count of its import, and comes back with evidence and observations', async () => {
    const engagementId = await engagement()
    const { id: importId } = await importOf(
      engagementId,
      'open tcp 80 192.0.2.9 1795336815\nopen tcp 443 192.0.2.9 1795336815',
    )
    const [service, kept] = await read(`/results?engagementId=${engagementId}&kind=service&sort=asset&order=asc`)
    await owner.request('POST', `${WEB}/results/${service.id}/files?fileName=kept.txt`, { rawBody: 'bytes' })
    const before = await read(`/results/${service.id}`)
    expect((await owner.post(`${WEB}/results/bulk-delete`, { ids: [service.id], withUndo: true })).body.data).toEqual({
      deleted: 1,
      ids: [service.id],
    })
    for (const path of ['', '/files', '/observations'])
      expect((await owner.get(`${WEB}/results/${service.id}${path}`)).status, path).toBe(404)
    expect(
      (await read(`/results?engagementId=${engagementId}&kind=service`)).map(({ id }: { id: string }) => id),
    ).toEqual([kept.id])
    expect((await read(`/results/facets?by=kind&engagementId=${engagementId}`)).kind.service).toBe(1)
    expect((await read(`/engagements/${engagementId}/overview`)).results.byKind.service.present).toBe(1)
    const compared = await owner.get(`${WEB}/results/diff?engagementId=${engagementId}&from=2020-01-01T00:00:00.000Z`)
    expect(compared.body.data.map(({ result }: { result: { id: string } }) => result.id)).not.toContain(service.id)
    expect(compared.body.meta.summary.new).toBe(compared.body.data.length)
    expect((await read(`/results?importId=${importId}`)).map(({ id }: { id: string }) => id)).not.toContain(service.id)
    expect((await restore('results', [service.id])).body.data).toEqual({ restored: 1, skipped: 0 })
    expect(await read(`/results/${service.id}`)).toEqual(before)
    expect(await read(`/results/${service.id}/files`)).toHaveLength(1)
    expect(await read(`/results/${service.id}/observations`)).toHaveLength(1)
    await importOf(engagementId, 'open tcp 80 192.0.2.9 1795336817')
    expect(await read(`/results?engagementId=${engagementId}&kind=service`)).toHaveLength(2)
  })

  test('a result that was reported again stays in the trash', async () => {
    const engagementId = await engagement()
    await importOf(engagementId, 'open tcp 80 192.0.2.10 1795336815')
    const [service] = await read(`/results?engagementId=${engagementId}&kind=service`)
    await owner.post(`${WEB}/results/bulk-delete`, { ids: [service.id] })
    await importOf(engagementId, 'open tcp 80 192.0.2.10 1795336816')
    expect(await read(`/results?engagementId=${engagementId}&kind=service`)).toHaveLength(1)
    expect((await restore('results', [service.id])).body.data).toEqual({ restored: 0, skipped: 1 })
  })

  test('undoing an import also deletes what only it brought from the trash', async () => {
    const engagementId = await engagement()
    const { id } = await importOf(engagementId, 'open tcp 80 192.0.2.11 1795336815')
    const [service] = await read(`/results?engagementId=${engagementId}&kind=service`)
    await owner.post(`${WEB}/results/bulk-delete`, { ids: [service.id] })
    expect((await owner.post(`${WEB}/imports/${id}/undo`)).status).toBeLessThan(300)
    await expect.poll(async () => (await read(`/imports/${id}`)).state, { timeout: 60_000 }).toBe('undone')
    expect((await restore('results', [service.id])).body.data).toEqual({ restored: 0, skipped: 0 })
  })

  test('status, severity, assignee, notes and tags are given back, except those that changed since', async () => {
    const engagementId = await engagement()
    const a = await made('/results', {
      engagementId,
      title: 'A',
      asset: 'a.example.com',
      severity: 'low',
      tags: ['x'],
      notes: 'n',
    })
    const b = await made('/results', { engagementId, title: 'B', asset: 'b.example.com', severity: 'low' })
    const set = {
      status: 'fixed',
      severity: 'high',
      assigneeId: member.user.id,
      notes: '',
      addTags: ['y'],
      removeTags: ['x'],
    }
    const { updated, undo } = (
      await owner.post(`${WEB}/results/bulk-update`, { filter: { engagementId }, set, withUndo: true })
    ).body.data
    expect(updated).toBe(2)
    await owner.patch(`${WEB}/results/${b.id}`, { notes: 'since' })
    expect((await owner.post(`${WEB}/results/bulk-revert`, { items: undo })).body.data).toEqual({
      updated: 1,
      skipped: 1,
    })
    const { updatedAt: _, ...after } = await read(`/results/${a.id}`)
    const { updatedAt: __, ...former } = a
    expect(after).toEqual(former)
    const wrong = [
      { id: b.id, ifUpdatedAt: (await read(`/results/${b.id}`)).updatedAt, set: { assigneeId: unknownId('usr') } },
    ]
    expect((await owner.post(`${WEB}/results/bulk-revert`, { items: wrong })).body.data).toEqual({
      updated: 0,
      skipped: 1,
    })
    await owner.delete(`${WEB}/results/${a.id}`)
    await emptyResultTrash(later(31))
    expect(await read(`/results?engagementId=${engagementId}&trashed=true`)).toEqual([])
  })
})
