import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { unknownId } from '../../support/walks/walk.ts'

let app: TestApp
let owner: TestClient & { user: { id: string } }
const WEB = '/api/web'

beforeAll(async () => {
  app = await testApp({ workers: true })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const made = async (path: string, body: object) => {
  const response = await owner.post(`${WEB}${path}`, body)
  expect(response.status, response.text).toBe(201)
  return response.body.data
}
const titles = (part: { items: { title: string }[] }) => part.items.map(({ title }) => title)

test('one page has the first ports, vulnerabilities, tasks, requests, operations and changes of a target, and how many there are', async () => {
  const engagementId = (await made('/engagements', { name: 'Host' })).id
  const target = await made('/targets', { engagementId, value: '192.0.2.20' })
  const child = await made('/targets', { engagementId, value: '192.0.2.20:443', parentId: target.id })
  const ports = [80, 443, 8080, 22, 21, 25].map((port) => `open tcp ${port} 192.0.2.20 1795336815`).join('\n')
  const imported = await owner.request('POST', `${WEB}/imports?engagementId=${engagementId}&fileName=x.list&wait=30`, {
    rawBody: ports,
  })
  expect(imported.body.data.state).toBe('applied')
  const written = { engagementId, targetId: target.id, asset: '192.0.2.20' }
  for (const severity of ['low', 'critical']) await made('/results', { ...written, title: severity, severity })
  const fixed = await made('/results', { ...written, title: 'fixed', severity: 'high' })
  await owner.patch(`${WEB}/results/${fixed.id}`, { status: 'fixed' })
  const finding = await made('/findings', { engagementId, title: 'Reported', severity: 'high' })
  await made('/findings', { engagementId, title: 'Elsewhere', severity: 'high' })
  await made(`/findings/${finding.id}/affected`, { targetIds: [target.id] })
  await made('/tasks', { engagementId, title: 'Look at it', links: [{ type: 'target', id: target.id }] })
  await made('/api-requests', { engagementId, name: 'Read', method: 'GET', url: 'http://192.0.2.20/' })
  await made('/operations', { engagementId, startedAt: '2026-11-21T14:03:02.120Z', address: '192.0.2.20' })
  await owner.patch(`${WEB}/targets/${target.id}`, { notes: 'changed' })

  const { body, text, status } = await owner.get(`${WEB}/targets/${target.id}/overview`)
  expect(status, text).toBe(200)
  const page = body.data
  expect(page.target.id).toBe(target.id)
  expect(page.children).toMatchObject({ items: [{ id: child.id }], total: 1 })
  expect([page.services.items.length, page.services.total]).toEqual([5, 6])
  expect([titles(page.vulnerabilities), page.vulnerabilities.total]).toEqual([['critical', 'low'], 2])
  expect([titles(page.findings), page.findings.total]).toEqual([['Reported'], 1])
  expect([titles(page.tasks), page.tasks.total]).toEqual([['Look at it'], 1])
  expect(page.requests).toMatchObject({ items: [{ name: 'Read' }], total: 1 })
  expect(page.operations.total).toBeGreaterThan(0)
  expect(page.history.map(({ action }: { action: string }) => action)).toEqual(['target.changed', 'target.created'])
  expect((await owner.get(`${WEB}/targets/${target.id}/overview?perPart=1`)).body.data.services.items).toHaveLength(1)
  expect((await owner.get(`${WEB}/targets/${unknownId('tgt')}/overview`)).status).toBe(404)

  const listed = (await owner.get(`${WEB}/targets?engagementId=${engagementId}&sort=canonical&order=asc`)).body.data
  expect(listed.find(({ id }: { id: string }) => id === target.id)).toMatchObject({
    services: 6,
    vulnerabilities: 2,
    worstSeverity: 'critical',
  })
  expect(listed.find(({ id }: { id: string }) => id === child.id)).toMatchObject({
    vulnerabilities: 0,
    worstSeverity: null,
  })
})

test('the page of every kind of target is answered, with empty parts where there is nothing', async () => {
  const engagementId = (await made('/engagements', { name: 'Kinds' })).id
  for (const target of [
    { value: 'a.example.com' },
    { value: '2001:db8::1' },
    { value: '192.0.2.0/28' },
    { value: 'https://[2001:db8::2]/x' },
    { value: '[2001:db8::3]:22' },
    { value: 'bücher.example' },
    { value: 'aws:1', kind: 'cloud' },
  ]) {
    const { id } = await made('/targets', { engagementId, ...target })
    const { status, body, text } = await owner.get(`${WEB}/targets/${id}/overview`)
    expect(status, `${target.value} ${text}`).toBe(200)
    expect(body.data.operations, target.value).toEqual({ items: [], total: 0 })
  }
})
