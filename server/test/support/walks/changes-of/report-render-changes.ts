import type { TestApp } from '../../app/test-app.ts'
import type { TestClient, TestResponse } from '../../app/test-client.ts'
import { approvedReport } from '../../reports/approved-report.ts'
import { ownPkcs12 } from '../../reports/certificate.ts'

type Change = (app: TestApp, client: TestClient, prefix: string) => Promise<() => Promise<TestResponse>>

/** How each endpoint that renders and delivers succeeds. */
export const REPORT_RENDER_CHANGES: Record<string, Change> = {
  renderReport: async (_app, client, prefix) => {
    const { id } = await approvedReport(client, prefix)
    return () => client.post(`${prefix}/reports/${id}/render`, { format: 'json' })
  },
  renderFinding: async (_app, client, prefix) => {
    const { findingId } = await approvedReport(client, prefix)
    return () => client.post(`${prefix}/findings/${findingId}/render`, { format: 'json' })
  },
  deleteReportRender: async (_app, client, prefix) => {
    const { id } = await approvedReport(client, prefix)
    const { body } = await client.post(`${prefix}/reports/${id}/render`, { format: 'json' })
    return () => client.delete(`${prefix}/report-renders/${body.data.id}`)
  },
  deliverReport: async (_app, client, prefix) => {
    const { id } = await approvedReport(client, prefix)
    return () => client.post(`${prefix}/reports/${id}/deliver`, { formats: ['json'], note: 'Changed' })
  },
  downloadReportEdition: async (_app, client, prefix) => {
    const { id } = await approvedReport(client, prefix)
    const { body } = await client.post(`${prefix}/reports/${id}/deliver`, { formats: ['json'] })
    return () => client.get(`${prefix}/editions/${body.data.id}/files/json`)
  },
  uploadSigningCertificate: async (_app, client, prefix) => {
    const pkcs12 = ownPkcs12()
    return () => client.post(`${prefix}/report-settings/certificate`, { pkcs12, passphrase: 'correct horse' })
  },
  deleteSigningCertificate: async (_app, client, prefix) => {
    const path = `${prefix}/report-settings/certificate`
    await client.post(path, { pkcs12: ownPkcs12(), passphrase: 'correct horse' })
    return () => client.delete(path)
  },
  verifyEdition: async (_app, client, prefix) => () =>
    client.request('POST', `${prefix}/editions/verify`, { rawBody: 'the bytes of a file' }),
}
