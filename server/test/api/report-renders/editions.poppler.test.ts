import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { approvedReport } from '../../support/reports/approved-report.ts'
import { pdfText } from '../../support/reports/pdf.ts'

const WEB = '/api/web'

let app: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const deliver = (id: string, formats: string[], note?: string) =>
  owner.post(`${WEB}/reports/${id}/deliver`, { formats, ...(note !== undefined && { note }) })

const download = async (path: string, client = owner): Promise<{ status: number; bytes: Buffer }> => {
  const answer = await fetch(client.origin + path, { headers: client.headers })
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** Files in the storage. */
const countFiles = async () => ({
  count: (await readdir(app.platform.config.STORAGE_PATH, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  ).length,
})

const approve = async (id: string) => {
  for (const state of ['in_review', 'approved'])
    expect((await owner.patch(`${WEB}/reports/${id}`, { state })).status).toBe(200)
}

describe('delivery', () => {
  test('makes an edition with all files, then the report is a draft of the next one', async () => {
    const { id, engagementId } = await approvedReport(owner, WEB)
    const { status, body, text } = await deliver(id, ['pdf', 'docx', 'html', 'json'], 'First')
    expect(status, text).toBe(201)
    expect(body.data).toMatchObject({ reportId: id, engagementId, number: 1, note: 'First' })
    expect(body.data).toMatchObject({
      templateId: expect.stringMatching(/^rtp_/),
      templateVersion: expect.any(Number),
      compilerVersion: expect.stringMatching(/\d+\.\d+\.\d+/),
      approvedBy: { name: expect.any(String) },
      createdBy: { name: expect.any(String) },
    })
    expect(body.data.files.map(({ format }: { format: string }) => format)).toEqual(['pdf', 'html', 'docx', 'json'])
    const report = (await owner.get(`${WEB}/reports/${id}`)).body.data
    expect(report).toMatchObject({ state: 'draft', approvedBy: null, latestEdition: 1 })
    expect((await owner.delete(`${WEB}/reports/${id}`)).status).toBe(409)
    for (const { format, size, sha256 } of body.data.files) {
      const { bytes } = await download(`${WEB}/editions/${body.data.id}/files/${format}`)
      expect(bytes.length).toBe(size)
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
      if (format === 'pdf') expect((await pdfText(bytes)).replaceAll(/\s+/g, '')).not.toContain('Draft')
    }
    expect((await owner.get(`${WEB}/editions/${body.data.id}`)).body.data).toEqual(body.data)
    expect((await owner.get(`${WEB}/reports/${id}/editions`)).body.data).toEqual([body.data])
    const audit = await app.db.selectFrom('audit_entries').select('action').where('object_id', '=', id).execute()
    const actions = audit.map(({ action }) => action)
    expect(actions.filter((action) => action === 'report.downloaded')).toHaveLength(4)
    expect(actions).toContain('report.delivered')
  })

  test('needs an approved report without open errors that has not changed', async () => {
    const { id, findingId } = await approvedReport(owner, WEB)
    await owner.patch(`${WEB}/findings/${findingId}`, { tags: ['new'] })
    const changed = await deliver(id, ['json'])
    expect(changed.status).toBe(409)
    expect(changed.body.error.message).toContain('has changed since it was approved')
    await owner.patch(`${WEB}/reports/${id}`, { state: 'draft' })
    expect((await deliver(id, ['json'])).body.error.message).toBe('This report is not approved.')
    await owner.post(`${WEB}/reports/${id}/sections`, { title: 'Open', body: 'TODO' })
    await approve(id)
    expect((await deliver(id, ['json'])).body.error.message).toContain('has errors')
    expect((await owner.get(`${WEB}/reports/${id}/editions`)).body.data).toEqual([])
  })

  test('is refused with the problem if one format fails; there is no edition, and no file stays', async () => {
    const { id } = await approvedReport(owner, WEB)
    const [standard] = (await owner.get(`${WEB}/report-templates?q=Standard`)).body.data
    const template = (await owner.post(`${WEB}/report-templates/${standard.id}/copy`, { name: 'Fails as a PDF' })).body
      .data
    // The check of a template would find it.
    const cover = '#let cover(data) = panic("no cover")'
    await app.asSuperuser(`
      update report_template_versions set typst = '${JSON.stringify({ 'cover.typ': cover })}', published_at = now()
        where template_id = '${template.id}';
      update report_templates set published_version = 1 where id = '${template.id}'`)
    const moved = await owner.patch(`${WEB}/reports/${id}`, { templateId: template.id })
    expect(moved.status, moved.text).toBe(200)
    await approve(id)
    const { count: before } = await countFiles()
    const failed = await deliver(id, ['html', 'json', 'pdf'])
    expect(failed.status).toBe(409)
    expect(failed.body.error.message).toMatch(/^A file could not be rendered: pdf: .*no cover/)
    expect((await owner.get(`${WEB}/reports/${id}/editions`)).body.data).toEqual([])
    expect(await countFiles()).toEqual({ count: before })
    expect((await deliver(id, ['html', 'json'])).status).toBe(201)
  })

  test('two at once make one edition', async () => {
    const { id } = await approvedReport(owner, WEB)
    const answers = await Promise.all([deliver(id, ['pdf']), deliver(id, ['pdf'])])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect((await owner.get(`${WEB}/reports/${id}/editions`)).body.data).toHaveLength(1)
  })

  test('is refused in an archived engagement, where files and comparisons are still read', async () => {
    const { id, engagementId } = await approvedReport(owner, WEB)
    const { id: editionId } = (await deliver(id, ['json'])).body.data
    await approve(id)
    for (const status of ['completed', 'archived'])
      expect((await owner.patch(`${WEB}/engagements/${engagementId}`, { status })).status).toBe(200)
    expect((await deliver(id, ['json'])).status).toBe(409)
    expect((await download(`${WEB}/editions/${editionId}/files/json`)).status).toBe(200)
    expect((await owner.get(`${WEB}/reports/${id}/compare?from=${editionId}&to=draft`)).status).toBe(200)
  })
})

describe('editions', () => {
  test('are compared by findings and sections', async () => {
    const { id, engagementId, findingId } = await approvedReport(owner, WEB)
    // Values of several fields, which the database orders in its own way.
    const assets = ['https://shop.example']
    const affected = await owner.post(`${WEB}/findings/${findingId}/affected`, { assets })
    expect(affected.status, affected.text).toBeLessThan(300)
    expect((await owner.patch(`${WEB}/findings/${findingId}`, { state: 'approved' })).status).toBe(200)
    await approve(id)
    const { id: from } = (await deliver(id, ['json'])).body.data
    const compare = async (to: string) =>
      (await owner.get(`${WEB}/reports/${id}/compare?from=${from}&to=${to}`)).body.data
    expect(await compare('draft')).toEqual({ findings: { new: [], changed: [], closed: [] }, sections: [] })
    await owner.patch(`${WEB}/findings/${findingId}`, { title: 'SQL injection in the search', status: 'partly_fixed' })
    const added = (await owner.post(`${WEB}/findings`, { engagementId, title: 'Second' })).body.data.id
    await owner.post(`${WEB}/reports/${id}/sections`, { title: 'Added', body: 'Text.' })
    const draft = await compare('draft')
    expect(draft.findings.new).toMatchObject([{ id: added, title: 'Second' }])
    expect(draft.findings.changed).toMatchObject([{ id: findingId, fields: ['title', 'status', 'affected'] }])
    expect(draft.sections).toContainEqual(
      expect.objectContaining({ title: 'Added', change: 'added', before: '', after: 'Added\n\nText.' }),
    )
    await owner.patch(`${WEB}/findings/${findingId}`, { status: 'fixed' })
    expect((await compare('draft')).findings.closed).toMatchObject([{ id: findingId }])
    expect((await owner.get(`${WEB}/reports/${id}/compare?from=${from}&to=edn_${'0'.repeat(26)}`)).status).toBe(404)
  })

  test('are found by the bytes of a file, by those who see them', async () => {
    const { id } = await approvedReport(owner, WEB)
    const edition = (await deliver(id, ['json', 'html'])).body.data
    const { bytes } = await download(`${WEB}/editions/${edition.id}/files/html`)
    const verify = async (rawBody: Uint8Array, client: Pick<typeof owner, 'request'>, prefix: string) =>
      (await client.request('POST', `${prefix}/editions/verify`, { rawBody })).body.data
    expect(await verify(bytes, owner, WEB)).toEqual({ edition, format: 'html' })
    const none = { edition: null, format: null }
    expect(await verify(bytes.subarray(1), owner, WEB)).toEqual(none)
    const other = await app.withKey(['reports:read'], await app.createOrganization())
    expect(await verify(bytes, other, '/api/v1')).toEqual(none)
    for (const path of [`/editions/${edition.id}`, `/editions/${edition.id}/files/html`, `/reports/${id}/editions`])
      expect((await other.get(`/api/v1${path}`)).status, path).toBe(404)
  })

  test('never change', async () => {
    const { id } = await approvedReport(owner, WEB)
    const edition = (await deliver(id, ['json'])).body.data
    for (const table of ['report_editions', 'report_edition_files'] as const)
      await expect(sql`update ${sql.table(table)} set engagement_id = engagement_id`.execute(app.db)).rejects.toThrow(
        'does not change',
      )
    expect((await owner.get(`${WEB}/editions/${edition.id}`)).body.data).toEqual(edition)
  })
})
