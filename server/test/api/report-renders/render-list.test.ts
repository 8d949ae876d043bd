import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { approvedReport } from '../../support/reports/approved-report.ts'
import { png } from '../../support/reports/png.ts'
import { rendered } from '../../support/reports/rendered.ts'

const WEB = '/api/web'

let app: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>

beforeAll(async () => {
  app = await testApp()
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const renderOf = (reportId: string, format = 'json') => rendered(owner, `${WEB}/reports/${reportId}`, format)
const listOf = async (reportId: string, query = '', client: TestClient = owner) => {
  const { status, body, text } = await client.get(`${WEB}/reports/${reportId}/renders${query}`)
  expect(status, text).toBe(200)
  return body as { data: { id: string; format: string }[]; meta: { total: number; nextCursor: string | null } }
}
const idsOf = async (reportId: string, query = '') => (await listOf(reportId, query)).data.map(({ id }) => id)
const filesOfRenders = () =>
  app.db.selectFrom('files').select('owner_id').where('owner_type', '=', 'report_render').execute()

describe('the renders of a report', () => {
  test('are listed with file, maker and state, the latest first, and only those of this report', async () => {
    const { id, findingId } = await approvedReport(owner, WEB)
    const { id: otherId } = await approvedReport(owner, WEB)
    expect(await listOf(id)).toEqual({ data: [], meta: { perPage: 20, nextCursor: null, total: 0 } })
    const json = await renderOf(id)
    const html = await renderOf(id, 'html')
    await renderOf(otherId)
    await rendered(owner, `${WEB}/findings/${findingId}`, 'json')
    const member = await app.signedIn('member')
    const { data } = await listOf(id, '', member)
    expect(data).toEqual([html, json])
    expect(data[0]).toMatchObject({ state: 'succeeded', size: html.size, createdBy: { name: expect.any(String) } })
    expect(await idsOf(id, '?format=json,pdf')).toEqual([json.id])
    const { meta } = await listOf(id, '?perPage=1')
    expect(await idsOf(id, `?perPage=1&cursor=${meta.nextCursor}`)).toEqual([json.id])
  })

  test('without files that may show a picture which was redacted since', async () => {
    const { id } = await approvedReport(owner, WEB)
    const files = `${WEB}/reports/${id}/files`
    const send = (shade: number, query: string) =>
      owner.request('POST', `${files}?fileName=a.png${query}`, { rawBody: png(4, 4, () => [shade, shade, shade]) })
    const original = (await send(9, '')).body.data.id
    await renderOf(id)
    expect((await send(0, `&redacts=${original}`)).status).toBe(201)
    const after = await renderOf(id)
    expect(await idsOf(id)).toEqual([after.id])
    expect((await listOf(id)).meta.total).toBe(1)
  })

  test('of an unknown or foreign report are 404', async () => {
    const { id } = await approvedReport(owner, WEB)
    const render = await renderOf(id)
    const stranger = await app.signedIn('owner', await app.createOrganization())
    for (const path of [`reports/${id}`, `reports/rpt_${'0'.repeat(26)}`])
      expect((await stranger.get(`${WEB}/${path}/renders`)).status).toBe(404)
    expect((await stranger.delete(`${WEB}/report-renders/${render.id}`)).status).toBe(404)
    expect(await idsOf(id)).toEqual([render.id])
  })
})

describe('deleting a render', () => {
  test('removes it with its file, and the audit log has it; the report stays', async () => {
    const { id } = await approvedReport(owner, WEB)
    const render = await renderOf(id)
    const kept = await renderOf(id)
    const path = `${WEB}/report-renders/${render.id}`
    expect((await owner.delete(path)).body.data).toEqual({ deleted: true, id: render.id })
    for (const gone of [path, `${path}/file`]) expect((await owner.get(gone)).status).toBe(404)
    expect((await owner.delete(path)).status).toBe(404)
    expect(await idsOf(id)).toEqual([kept.id])
    const owners = (await filesOfRenders()).map(({ owner_id: ownerId }) => ownerId)
    expect(owners).toContain(kept.id)
    expect(owners).not.toContain(render.id)
    const { data } = (await owner.get(`${WEB}/audit?objectId=${id}&action=report.render-deleted`)).body
    expect(data).toMatchObject([{ before: { format: 'json', sha256: render.sha256 } }])
    expect((await owner.get(`${WEB}/reports/${id}`)).body.data.state).toBe('approved')
  })

  test('needs reports:write, and is 409 in an archived engagement, where the file is still read', async () => {
    const { id, engagementId } = await approvedReport(owner, WEB)
    const render = await renderOf(id)
    const reader = await app.withKey(['reports:read'])
    expect((await reader.delete(`/api/v1/report-renders/${render.id}`)).status).toBe(403)
    for (const status of ['completed', 'archived'])
      expect((await owner.patch(`${WEB}/engagements/${engagementId}`, { status })).status).toBe(200)
    expect((await owner.delete(`${WEB}/report-renders/${render.id}`)).status).toBe(409)
    expect((await owner.get(`${WEB}/report-renders/${render.id}/file`)).status).toBe(200)
  })

  test('while it waits or runs, cancels it: no file is left', async () => {
    const { id } = await approvedReport(owner, WEB)
    const started = await Promise.all(
      ['pdf', 'html', 'docx', 'pdf', 'json', 'markdown'].map((format) =>
        owner.post(`${WEB}/reports/${id}/render`, { format }),
      ),
    )
    const ids: string[] = started.map(({ body }) => body.data.id)
    for (const renderId of ids)
      expect((await owner.delete(`${WEB}/report-renders/${renderId}`)).body.data).toEqual({
        deleted: true,
        id: renderId,
      })
    expect(await idsOf(id)).toEqual([])
    await eventually(async () => {
      const jobs = app.db.selectFrom('background_jobs').select('state').where('subject_id', 'in', ids)
      for (const { state } of await jobs.execute()) expect(['succeeded', 'cancelled']).toContain(state)
    }, 120_000)
    const left = (await filesOfRenders()).filter(({ owner_id: ownerId }) => ids.includes(ownerId))
    expect(left).toEqual([])
    expect((await renderOf(id)).state).toBe('succeeded')
  })
})
