import { randomBytes } from 'node:crypto'
import type { TestApp } from '../../app/test-app.ts'
import type { TestClient, TestResponse } from '../../app/test-client.ts'
import { p, wordFile } from '../../reports/word-template.ts'

type Change = (app: TestApp, client: TestClient, prefix: string) => Promise<() => Promise<TestResponse>>

const templateOf = async (client: TestClient, prefix: string): Promise<string> =>
  (await client.post(`${prefix}/report-templates`, { name: `Before ${randomBytes(6).toString('hex')}` })).body.data.id

/** A change of a new template. */
const onTemplate =
  (send: (client: TestClient, path: string) => Promise<TestResponse>): Change =>
  async (_app, client, prefix) => {
    const id = await templateOf(client, prefix)
    return () => send(client, `${prefix}/report-templates/${id}`)
  }

const upload =
  (part: string, fileName: string, rawBody: Buffer) =>
  (client: TestClient, path: string): Promise<TestResponse> =>
    client.request('POST', `${path}/${part}?fileName=${fileName}`, { rawBody })

/** A font with nothing but its name. */
export const fontNamed = (family: string): Buffer => {
  const text = Buffer.from(family, 'utf16le').swap16()
  const table = Buffer.alloc(18)
  table.writeUInt16BE(1, 2)
  table.writeUInt16BE(18, 4)
  for (const [index, value] of [3, 1, 0x0409, 1, text.length, 0].entries()) table.writeUInt16BE(value, 6 + index * 2)
  const head = Buffer.alloc(28)
  head.writeUInt32BE(0x00010000, 0)
  head.writeUInt16BE(1, 4)
  head.write('name', 12, 'latin1')
  head.writeUInt32BE(28, 20)
  head.writeUInt32BE(18 + text.length, 24)
  return Buffer.concat([head, table, text])
}

/** The first bytes of a PNG, which decide about its kind. */
export const LOGO = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1')

/** How each endpoint that writes report templates succeeds. */
export const REPORT_TEMPLATE_CHANGES: Record<string, Change> = {
  createReportTemplate: async (_app, client, prefix) => () =>
    client.post(`${prefix}/report-templates`, { name: 'Changed' }),
  updateReportTemplate: onTemplate((client, path) => client.patch(path, { description: 'Changed' })),
  deleteReportTemplate: onTemplate((client, path) => client.delete(path)),
  copyReportTemplate: onTemplate((client, path) => client.post(`${path}/copy`, { name: 'Changed' })),
  checkReportTemplate: onTemplate((client, path) => client.post(`${path}/check`, {})),
  publishReportTemplate: onTemplate((client, path) => client.post(`${path}/publish`)),
  uploadTemplateDocx: onTemplate(upload('docx', 'changed.docx', wordFile({ body: p('{report.title}') }))),
  uploadTemplateLogo: onTemplate(upload('logo', 'changed.png', LOGO)),
  uploadTemplateFont: onTemplate(upload('fonts', 'changed.ttf', fontNamed('Changed Sans'))),
}
