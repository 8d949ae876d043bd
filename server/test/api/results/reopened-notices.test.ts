import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { fixture, imported, resultsOf } from '../../support/scans/imports.ts'

let app: TestApp
let key: TestClient
let mia: TestClient & { user: { id: string } }
let noa: TestClient & { user: { id: string } }

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
  mia = await app.signedIn('member')
  noa = await app.signedIn('member')
})
afterAll(() => app.close())

const newNotices = async (client: TestClient) => {
  const { body } = await client.get('/api/web/notifications?unread=true')
  await client.post('/api/web/notifications/read', { all: true })
  return body.data as { kind: string; result: { title: string } | null; tasks: number }[]
}

test('an import that finds fixed results again notifies each assignee once; a preview, and an import that changes nothing, notify no one', async () => {
  const engagement = await newEngagement(key)
  await imported(key, engagement, fixture('nuclei.jsonl'))
  const found = await resultsOf(key, engagement, { kind: 'vulnerability' })
  const [first, second, third, fourth] = found
  if (!first || !second || !third || !fourth) throw new Error('The file has fewer findings.')
  for (const { id } of [first, second])
    await mia.patch(`/api/web/results/${id}`, { assigneeId: mia.user.id, status: 'fixed' })
  await noa.patch(`/api/web/results/${third.id}`, { assigneeId: noa.user.id })
  await noa.patch(`/api/web/results/${fourth.id}`, { status: 'fixed' })
  expect([await newNotices(mia), await newNotices(noa)]).toEqual([[], []])

  await imported(key, engagement, fixture('nuclei.jsonl'), { mode: 'preview' })
  expect([await newNotices(mia), await newNotices(noa)], 'after a preview').toEqual([[], []])
  await imported(key, engagement, fixture('nuclei.jsonl'))
  expect(await newNotices(mia)).toMatchObject([{ kind: 'reopened', tasks: 2 }])
  expect(await newNotices(noa), 'of open and of unassigned results').toEqual([])
  await imported(key, engagement, fixture('nuclei.jsonl'))
  expect(await newNotices(mia), 'of results that were open already').toEqual([])
})

test('an import does not notify an assignee who no longer sees the engagement', async () => {
  const engagement = await newEngagement(key)
  await imported(key, engagement, fixture('nuclei.jsonl'))
  const [found] = await resultsOf(key, engagement, { kind: 'vulnerability' })
  await mia.patch(`/api/web/results/${found?.id}`, { assigneeId: mia.user.id, status: 'fixed' })
  const owner = await app.signedIn('owner')
  const { status } = await owner.patch(`/api/web/engagements/${engagement}/details`, { access: 'team' })
  expect(status).toBe(200)
  expect((await imported(key, engagement, fixture('nuclei.jsonl'))).counts.results).toMatchObject({ changed: 1 })
  await owner.patch(`/api/web/engagements/${engagement}/details`, { access: 'organization' })
  expect(await newNotices(mia)).toEqual([])
})
