import { RENDER_FORMATS } from '@sortie/contract/reports/report-renders.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { screenshot } from '../../support/reports/png.ts'
import { bytesOf, rendered } from '../../support/reports/rendered.ts'

const V1 = '/api/v1'
const DAY_MS = 86_400_000

let app: TestApp
let client: TestClient
let path: string
let section: { id: string; revision: number }

beforeAll(async () => {
  app = await testApp()
  // A session would end within the days of these tests.
  client = await app.withKey(['organizations:write', 'targets:write', 'reports:read', 'reports:write'])
  const must = async (answer: ReturnType<TestClient['post']>) => {
    const { status, text, body } = await answer
    expect(status, text).toBeLessThan(300)
    return body.data
  }
  const { id: engagementId } = await must(client.post(`${V1}/engagements`, { name: 'Customer portal' }))
  for (const [index, severity] of ['critical', 'high', 'low'].entries()) {
    const { id } = await must(
      client.post(`${V1}/findings`, { engagementId, title: `Finding ${index}`, severity, tags: ['web', 'login'] }),
    )
    const shot = client.request('POST', `${V1}/findings/${id}/files?fileName=shot.png`, {
      rawBody: screenshot(120, 70 + index),
    })
    const text = `See [[${(await must(shot)).id}]].\n\n1. One\n2. Two\n\n| a | b |\n|---|---|\n| 1 | 2 |`
    await must(client.patch(`${V1}/findings/${id}`, { description: text, baseRevision: 1 }))
    await must(client.post(`${V1}/findings/${id}/affected`, { assets: ['b.example', 'a.example'] }))
  }
  const report = await must(client.post(`${V1}/reports`, { engagementId, title: 'Penetration test' }))
  path = `${V1}/reports/${report.id}`
  section = await must(client.post(`${path}/sections`, { title: 'Text', body: 'On {{report.date}}.' }))
})
afterAll(() => app.close())

const fileOf = async (format: string): Promise<Buffer> => {
  const render = await rendered(client, path, format)
  expect(render.state, JSON.stringify(render.problems)).toBe('succeeded')
  return bytesOf(client, `${V1}/report-renders/${render.id}/file`)
}

test.each(RENDER_FORMATS)(
  'two renders of the same data are equal byte by byte, also on another day: %s',
  async (format) => {
    const first = await fileOf(format)
    app.clock.advance(DAY_MS)
    const second = await fileOf(format)
    expect(first.equals(second)).toBe(true)
  },
)

test('the live preview and report-data are the same on another day as well', async () => {
  const read = () => Promise.all(['html', 'data'].map((view) => bytesOf(client, `${path}/${view}`)))
  const first = await read()
  app.clock.advance(DAY_MS)
  const second = await read()
  expect(first.map((bytes, index) => bytes.equals(second[index] as Buffer))).toEqual([true, true])
})

test('other data give other bytes', async () => {
  const before = await fileOf('html')
  const { id, revision } = section
  const change = { body: 'On another day.', baseRevision: revision }
  expect((await client.patch(`${path}/sections/${id}`, change)).status).toBe(200)
  expect((await fileOf('html')).equals(before)).toBe(false)
})
