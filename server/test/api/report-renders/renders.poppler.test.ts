import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reportRenders } from '../../../src/features/report-renders/report-renders.feature.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { pdfText } from '../../support/reports/pdf.ts'

const WEB = '/api/web'
const DAY_MS = 86_400_000

let app: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>

beforeAll(async () => {
  app = await testApp()
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

interface Render {
  id: string
  state: string
  size: number
  sha256: string
  pages: number | null
  problems: { level: string; message: string }[]
}

const reportOf = async (client: TestClient = owner, prefix = WEB): Promise<{ id: string; findingId: string }> => {
  const engagementId = (await client.post(`${prefix}/engagements`, { name: 'Customer portal' })).body.data.id
  const finding = {
    engagementId,
    title: '#{title} {{x}} *SQL* injection',
    severity: 'high',
    description: 'Some **text**.',
  }
  const findingId = (await client.post(`${prefix}/findings`, finding)).body.data.id
  const { status, body, text } = await client.post(`${prefix}/reports`, { engagementId, title: 'Penetration test' })
  expect(status, text).toBe(201)
  return { id: body.data.id, findingId }
}

const render = async (path: string, format: string, client: TestClient = owner, prefix = WEB): Promise<Render> => {
  const answer = await client.post(`${prefix}${path}/render`, { format, wait: 30 })
  expect(answer.status, answer.text).toBe(201)
  let { data } = answer.body
  while (['queued', 'running'].includes(data.state)) {
    data = (await client.get(`${prefix}/report-renders/${data.id}`)).body.data
  }
  return data
}

const bytesOf = async (id: string): Promise<Buffer> => {
  const answer = await fetch(`${owner.origin}${WEB}/report-renders/${id}/file`, { headers: owner.headers })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

describe('renders', () => {
  test('a report has a file in each format, with the watermark of a draft', async () => {
    const { id } = await reportOf()
    for (const format of ['pdf', 'html', 'docx', 'markdown', 'json', 'sarif']) {
      const made = await render(`/reports/${id}`, format)
      expect(made, JSON.stringify(made)).toMatchObject({ state: 'succeeded', reportId: id, findingId: null, format })
      const bytes = await bytesOf(made.id)
      expect(bytes.length).toBe(made.size)
      if (format === 'pdf') {
        expect(made.pages).toBeGreaterThan(2)
        const text = await pdfText(bytes)
        expect(text.replaceAll(/\s+/g, '')).toContain('Draft')
        expect(text).toContain('#{title} {{x}} *SQL* injection')
      }
    }
  })

  test('a finding has files of its own', async () => {
    const { findingId } = await reportOf()
    const made = await render(`/findings/${findingId}`, 'pdf')
    expect(made).toMatchObject({ state: 'succeeded', reportId: null, findingId })
    expect(await pdfText(await bytesOf(made.id))).toContain('*SQL* injection')
    expect((await render(`/findings/${findingId}`, 'sarif')).state).toBe('succeeded')
  })

  test('an organization queues six renders: two run at once, and the one of another organization starts when the first ends', async () => {
    const { id } = await reportOf()
    const other = await app.signedIn('owner', await app.createOrganization())
    const theirs = await reportOf(other)
    const start = async (client: TestClient, reportId: string): Promise<string> => {
      const answer = await client.post(`${WEB}/reports/${reportId}/render`, { format: 'pdf' })
      expect(answer.status, answer.text).toBe(201)
      return answer.body.data.id
    }
    /** How many renders of the first organization are in each state, and the state of the other one. */
    const look = async (renderId?: string) => {
      const rows = await app.db
        .selectFrom('report_renders')
        .select(['id', 'state'])
        .where((is) => is.or([is('report_id', '=', id), is('id', '=', renderId ?? '')]))
        .execute()
      const own = rows.filter((row) => row.id !== renderId).map(({ state }) => state)
      const count = (...states: string[]) => own.filter((state) => states.includes(state)).length
      return {
        own: { queued: count('queued'), running: count('running'), ended: count('succeeded', 'failed') },
        other: rows.find((row) => row.id === renderId)?.state,
      }
    }
    const mine = await Promise.all(Array.from({ length: 6 }, () => start(owner, id)))
    while ((await look()).own.running < 2) await sleep(10)
    const renderId = await start(other, theirs.id)
    const seen = [await look(renderId)]
    while (seen.at(-1)?.other !== 'succeeded') {
      seen.push(await look(renderId))
      await sleep(10)
    }
    // Two are written; one that has given its place back may still be stored.
    for (const { own, other: state } of seen) expect(own.running + Number(state === 'running')).toBeLessThanOrEqual(3)
    const first = seen.find(({ other: state }) => state !== 'queued')
    // The place that the first gives back is for the other organization; the second may end at the same moment.
    expect(first?.own.ended).toBeLessThanOrEqual(2)
    expect(first?.own.queued).toBeGreaterThanOrEqual(3)
    for (const one of mine) while ((await look(one)).other !== 'succeeded') await sleep(50)
  })

  test('files end after 7 days; unknown and foreign ones are 404', async () => {
    const { id } = await reportOf()
    const made = await render(`/reports/${id}`, 'json')
    const other = await app.withKey(['reports:read'], await app.createOrganization())
    for (const path of [`/report-renders/${made.id}`, `/report-renders/${made.id}/file`])
      expect((await other.get(`/api/v1${path}`)).status).toBe(404)
    expect((await other.post(`/api/v1/reports/${id}/render`, { format: 'json' })).status).toBe(404)
    // A session would end in the meantime.
    const key = await app.withKey(['reports:read'])
    app.clock.advance(6 * DAY_MS)
    await reportRenders.cleanUp?.(app.platform)
    expect((await key.get(`/api/v1/report-renders/${made.id}`)).status).toBe(200)
    app.clock.advance(2 * DAY_MS)
    await reportRenders.cleanUp?.(app.platform)
    expect((await key.get(`/api/v1/report-renders/${made.id}`)).status).toBe(404)
  })
})
