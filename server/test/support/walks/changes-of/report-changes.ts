import { expect } from 'vitest'
import type { TestApp } from '../../app/test-app.ts'
import type { TestClient, TestResponse } from '../../app/test-client.ts'

type Change = (app: TestApp, client: TestClient, prefix: string) => Promise<() => Promise<TestResponse>>

interface ReportWithSections {
  id: string
  engagementId: string
  sections: { id: string; kind: string; revision: number }[]
}

const reportOf = async (client: TestClient, prefix: string): Promise<ReportWithSections> => {
  const { id } = (await client.post(`${prefix}/engagements`, { name: 'With a report' })).body.data
  return (await client.post(`${prefix}/reports`, { engagementId: id, title: 'Before' })).body.data
}

/** A change of a new report. */
const onReport =
  (send: (client: TestClient, path: string, report: ReportWithSections) => Promise<TestResponse>): Change =>
  async (_app, client, prefix) => {
    const report = await reportOf(client, prefix)
    return () => send(client, `${prefix}/reports/${report.id}`, report)
  }

const onSection = (
  send: (client: TestClient, path: string, section: ReportWithSections['sections'][number]) => Promise<TestResponse>,
): Change =>
  onReport((client, path, { sections }) => {
    const section = sections.find(({ kind }) => kind === 'text') as ReportWithSections['sections'][number]
    return send(client, `${path}/sections/${section.id}`, section)
  })

const upload = (client: TestClient, path: string) =>
  client.request('POST', `${path}/files?fileName=changed`, { rawBody: 'bytes of a file' })

/** How each endpoint that writes reports succeeds. */
export const REPORT_CHANGES: Record<string, Change> = {
  createReport: async (_app, client, prefix) => {
    const { id } = (await client.post(`${prefix}/engagements`, { name: 'With reports' })).body.data
    return () =>
      client.post(`${prefix}/reports`, { engagementId: id, title: 'Changed', kind: 'retest', language: 'de' })
  },
  updateReport: onReport((client, path) => client.patch(path, { title: 'After', state: 'in_review' })),
  deleteReport: onReport((client, path) => client.delete(path)),
  createReportSection: onReport((client, path) => client.post(`${path}/sections`, { title: 'Added', body: 'text' })),
  updateReportSection: onSection((client, path, { revision }) =>
    client.patch(path, { title: 'Changed', body: 'changed', baseRevision: revision }),
  ),
  deleteReportSection: onSection((client, path) => client.delete(path)),
  moveReportSection: onReport((client, path, { sections }) =>
    client.post(`${path}/sections/${sections.at(-1)?.id}/move`, { beforeId: sections[0]?.id }),
  ),
  waiveReportProblem: async (_app, client, prefix) => {
    const { id } = await reportOf(client, prefix)
    const path = `${prefix}/reports/${id}`
    const { body } = await client.post(`${path}/sections`, { title: 'Open', body: 'TODO' })
    const where = { type: 'section', id: body.data.id, section: null, quote: 'TODO' }
    return () => client.post(`${path}/checks/waive`, { code: 'todo_mark', where, reason: 'A name' })
  },
  createReportComment: onReport((client, path) => client.post(`${path}/comments`, { body: 'changed' })),
  uploadReportFile: onReport((client, path) => upload(client, path)),
  deleteReportFile: async (_app, client, prefix) => {
    const { id } = await reportOf(client, prefix)
    const path = `${prefix}/reports/${id}`
    const { body } = await upload(client, path)
    return () => client.delete(`${path}/files/${body.data.id}`)
  },
}

/** A report with a file, a comment and a waiver. */
export const addReport = async (owner: TestClient, engagementId: string, word: string): Promise<void> => {
  const must = async (response: Promise<TestResponse>) => {
    const { status, text, body } = await response
    expect(status, text).toBeLessThan(300)
    return body.data
  }
  const { id } = await must(owner.post('/api/web/reports', { engagementId, title: `${word} report` }))
  const path = `/api/web/reports/${id}`
  const section = await must(owner.post(`${path}/sections`, { title: `${word} section`, body: `${word} TODO` }))
  await must(owner.request('POST', `${path}/files?fileName=${word}-file`, { rawBody: `${word} bytes` }))
  const where = { type: 'section', id: section.id, section: null, quote: 'TODO' }
  await must(
    owner.post(`${path}/comments`, {
      body: `${word} comment`,
      anchor: { section: section.id, quote: 'TODO' },
      suggestion: `${word} words`,
    }),
  )
  await must(owner.post(`${path}/checks/waive`, { code: 'todo_mark', where, reason: `${word} reason` }))
}
