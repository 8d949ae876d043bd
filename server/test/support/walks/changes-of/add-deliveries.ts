import { expect } from 'vitest'
import type { TestApp } from '../../app/test-app.ts'
import type { TestClient, TestResponse } from '../../app/test-client.ts'

interface Problem {
  code: string
  level: string
  where: object
  waived: object | null
}

const must = async (response: Promise<TestResponse>) => {
  const { status, text, body } = await response
  expect(status, text).toBeLessThan(300)
  return body.data
}

/** A template of the organization. */
export const addReportTemplate = (owner: TestClient, word: string): Promise<void> =>
  must(owner.post('/api/web/report-templates', { name: `${word} template`, description: `${word} text` }))

/** A report that was delivered as an edition, and a render of its next draft with a file. */
export const addDelivery = async (
  { db }: Pick<TestApp, 'db'>,
  owner: TestClient,
  engagementId: string,
  word: string,
): Promise<void> => {
  const report = await must(
    owner.post('/api/web/reports', { engagementId, title: `${word} delivered`, kind: 'attestation' }),
  )
  const path = `/api/web/reports/${report.id}`
  for (const { id } of report.sections as { id: string }[]) await must(owner.delete(`${path}/sections/${id}`))
  await must(owner.post(`${path}/sections`, { title: `${word} section`, body: `${word} text` }))
  for (const { code, level, where, waived } of (await must(owner.get(`${path}/checks`))) as Problem[])
    if (level === 'error' && !waived) await must(owner.post(`${path}/checks/waive`, { code, where, reason: word }))
  for (const state of ['in_review', 'approved']) await must(owner.patch(path, { state }))
  await must(owner.post(`${path}/deliver`, { formats: ['json'], note: `${word} note` }))
  const { id } = await must(owner.post(`${path}/render`, { format: 'json' }))
  const bytes = JSON.stringify(`${word} bytes`)
  const uploads = `${path}/files?fileName=${word}-render`
  const { id: fileId } = await must(owner.request('POST', uploads, { rawBody: bytes }))
  // As its job does, which does not run here.
  await db.updateTable('files').set({ owner_type: 'report_render', owner_id: id }).where('id', '=', fileId).execute()
  await db
    .updateTable('report_renders')
    .set({ state: 'succeeded', file_id: fileId, file_name: `${word}-render`, size: bytes.length })
    .where('id', '=', id)
    .execute()
}
