import { expect } from 'vitest'
import type { TestClient } from '../app/test-client.ts'

export interface ApprovedReport {
  id: string
  engagementId: string
  findingId: string
}

/** A report with one text and one approved finding, without errors, as it is before its delivery. */
export const approvedReport = async (
  client: TestClient,
  prefix: string,
  title = 'Penetration test',
): Promise<ApprovedReport> => {
  const must = async (answer: ReturnType<TestClient['post']>) => {
    const { status, text, body } = await answer
    expect(status, text).toBeLessThan(300)
    return body.data
  }
  const { id: engagementId } = await must(client.post(`${prefix}/engagements`, { name: 'To be delivered' }))
  const { id: findingId } = await must(
    client.post(`${prefix}/findings`, {
      engagementId,
      title: 'SQL injection',
      severity: 'high',
      summary: 'Short.',
      description: 'Long.',
      impact: 'Much.',
      recommendation: 'Fix it.',
      reproduction: 'Try it.',
    }),
  )
  for (const state of ['in_review', 'approved']) await must(client.patch(`${prefix}/findings/${findingId}`, { state }))
  const report = await must(client.post(`${prefix}/reports`, { engagementId, title }))
  const path = `${prefix}/reports/${report.id}`
  for (const { id, live } of report.sections as { id: string; live: { type: string } | null }[]) {
    if (live === null) await must(client.delete(`${path}/sections/${id}`))
  }
  await must(client.post(`${path}/sections`, { title: 'Summary', body: 'We found {{findings.total}} weakness.' }))
  for (const state of ['in_review', 'approved']) await must(client.patch(path, { state }))
  return { id: report.id, engagementId, findingId }
}
