import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUILT_IN_TEMPLATES } from '../../../src/features/report-templates/built-in/index.ts'
import { findTemplate, getTemplateVersion } from '../../../src/features/report-templates/find-template.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { p, wordFile } from '../../support/reports/word-template.ts'
import { fontNamed, LOGO } from '../../support/walks/changes-of/report-template-changes.ts'

const WEB = '/api/web/report-templates'
const STANDARD = BUILT_IN_TEMPLATES[0]?.id ?? ''

let app: TestApp
let owner: TestClient
let member: TestClient
let clientId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
  clientId = (await owner.post('/api/web/clients', { name: 'Contoso' })).body.data.id
})
afterAll(() => app.close())

const create = async (fields: object = {}) => {
  const { status, body, text } = await owner.post(WEB, { name: 'Ours', ...fields })
  expect(status, text).toBe(201)
  return body.data
}
const upload = (id: string, part: string, fileName: string, rawBody: Buffer, client = owner) =>
  client.request('POST', `${WEB}/${id}/${part}?fileName=${fileName}`, { rawBody })
const publish = async (id: string) => {
  const { status, body, text } = await owner.post(`${WEB}/${id}/publish`)
  expect(status, text).toBe(200)
  return body.data
}
const organizationId = () => app.organization.id
const version = (templateId: string, number: number) =>
  getTemplateVersion(app.platform, organizationId(), templateId, number)
const choose = (wanted: { templateId?: string; clientId?: string | null }) =>
  findTemplate(app.platform.db, organizationId(), { clientId: null, kind: 'final', ...wanted })

describe('the life of a template', () => {
  test('it begins with the sections of the built-in one, as a draft', async () => {
    const template = await create({ description: 'For web tests' })
    expect(template).toMatchObject({
      state: 'draft',
      version: 1,
      publishedVersion: null,
      builtIn: false,
      clientId: null,
    })
    expect(template.languages).toEqual(['de', 'en'])
    expect(template.sections.en[0].key).toBe('management_summary')
  })

  test('a published version never changes; a change starts the next one', async () => {
    const { id } = await create()
    await owner.patch(`${WEB}/${id}`, { settings: { accent: '#112233' } })
    expect(await publish(id)).toMatchObject({ state: 'published', version: 1, publishedVersion: 1 })
    expect((await owner.post(`${WEB}/${id}/publish`)).status).toBe(409)
    const changed = (await owner.patch(`${WEB}/${id}`, { settings: { accent: '#445566' } })).body.data
    expect(changed).toMatchObject({ state: 'draft', version: 2, publishedVersion: 1, settings: { accent: '#445566' } })
    expect((await owner.get(`${WEB}/${id}?version=1`)).body.data).toMatchObject({
      version: 1,
      state: 'published',
      settings: { accent: '#112233' },
    })
    expect((await choose({ templateId: id }))?.settings).toEqual({ accent: '#112233' })
    expect((await owner.get(`${WEB}/${id}?version=3`)).status).toBe(404)
    const raw = app.db.updateTable('report_template_versions').set({ typst: '{"cover.typ":"x"}' })
    await expect(raw.where('template_id', '=', id).where('version', '=', 1).execute()).rejects.toThrow('published')
  })

  test('while a version is checked and published, other requests are answered', async () => {
    const { id } = await create()
    let isPublishing = true
    const published = publish(id).finally(() => (isPublishing = false))
    let answered = 0
    while (isPublishing && answered < 5) {
      expect((await member.get(`${WEB}?perPage=1`)).status).toBe(200)
      answered++
    }
    await published
    expect(answered).toBe(5)
  })

  test('a new name starts no version; equal values change nothing; a stale change is 409', async () => {
    const template = await create()
    await publish(template.id)
    const renamed = (await owner.patch(`${WEB}/${template.id}`, { name: 'Renamed' })).body.data
    expect(renamed).toMatchObject({ name: 'Renamed', version: 1, state: 'published' })
    expect((await owner.patch(`${WEB}/${template.id}`, { name: 'Renamed' })).body.data.updatedAt).toBe(
      renamed.updatedAt,
    )
    const stale = { name: 'Again', ifUpdatedAt: template.updatedAt }
    expect((await owner.patch(`${WEB}/${template.id}`, stale)).status).toBe(409)
  })

  test('sections of one language have different keys; a file name has known tokens', async () => {
    const { id } = await create()
    const section = { key: 'a', title: 'A', body: '', live: null, hidden: false }
    const twice = await owner.patch(`${WEB}/${id}`, { sections: { en: [section, section] } })
    expect([twice.status, twice.body.error.message]).toEqual([
      422,
      expect.stringContaining('two sections have the key a'),
    ])
    const token = await owner.patch(`${WEB}/${id}`, { settings: { fileNamePattern: '{client} {date.now}' } })
    expect([token.status, token.body.error.message]).toEqual([
      422,
      expect.stringContaining('{date.now} is not a token'),
    ])
  })

  test('built-in ones cannot be changed, published, deleted or get files, but copied', async () => {
    for (const answer of [
      await owner.patch(`${WEB}/${STANDARD}`, { name: 'x' }),
      await owner.delete(`${WEB}/${STANDARD}`),
      await owner.post(`${WEB}/${STANDARD}/publish`),
      await upload(STANDARD, 'logo', 'a.png', LOGO),
    ])
      expect([answer.status, answer.body.error.message]).toEqual([409, expect.stringContaining('built in')])
    const copy = (await owner.post(`${WEB}/${STANDARD}/copy`)).body.data
    expect(copy).toMatchObject({ name: 'Standard (copy)', builtIn: false, state: 'draft', version: 1 })
  })

  test('members read templates and change none', async () => {
    const { id } = await create()
    expect((await member.get(`${WEB}/${id}`)).status).toBe(200)
    expect((await member.patch(`${WEB}/${id}`, { name: 'x' })).status).toBe(403)
    expect((await upload(id, 'logo', 'a.png', LOGO, member)).status).toBe(403)
  })

  test('a template of a client is hidden from those who do not see the client, and ends with it', async () => {
    const hidden = (await owner.post('/api/web/clients', { name: 'Secret' })).body.data.id
    const template = await create({ clientId: hidden, name: 'Of the secret client' })
    await upload(template.id, 'logo', 'a.png', LOGO)
    expect((await member.get(`${WEB}/${template.id}`)).status).toBe(404)
    expect((await member.get(`${WEB}?q=secret`)).body.data).toEqual([])
    expect((await owner.get(`${WEB}?q=secret`)).body.data).toHaveLength(1)
    expect((await owner.patch(`${WEB}/${template.id}`, { clientId: 'cli_00000000000000000000000000' })).status).toBe(
      422,
    )
    expect((await owner.delete(`/api/web/clients/${hidden}`)).status).toBe(200)
    expect((await owner.get(`${WEB}/${template.id}`)).status).toBe(404)
    const files = app.db.selectFrom('files').select('id').where('owner_id', '=', template.id)
    expect(await files.execute()).toEqual([])
  })

  test('the list has the built-in ones, and filters', async () => {
    const { id } = await create({ clientId, name: 'Listed' })
    const ids = async (query: string) =>
      (await owner.get(`${WEB}?perPage=100&${query}`)).body.data.map((row: { id: string }) => row.id)
    expect(await ids('q=standard')).toContain(STANDARD)
    expect(await ids('state=draft')).not.toContain(STANDARD)
    expect(await ids(`clientId=${clientId}`)).toEqual([id])
    expect(await ids('usable=true')).not.toContain(id)
    expect(await ids('usable=true&sort=name&order=asc')).toContain(STANDARD)
  })

  test('a key that is limited to engagements sees built-in ones only', async () => {
    const { id } = await create()
    await publish(id)
    const engagementId = (await owner.post('/api/web/engagements', { name: 'Open' })).body.data.id
    const made = await owner.post('/api/web/api-keys', {
      name: 'Limited',
      environment: 'live',
      scopes: ['reports:read'],
      engagementIds: [engagementId],
    })
    const key = app.anonymous.with({ authorization: `Bearer ${made.body.data.value}` })
    const rows = (await key.get('/api/v1/report-templates?perPage=100')).body.data
    expect(rows.length).toBe(BUILT_IN_TEMPLATES.length)
    expect((await key.get(`/api/v1/report-templates/${id}`)).status).toBe(404)
  })
})

describe('files of a template', () => {
  test('a logo, fonts by family, and a Word template belong to the version; a published one keeps its own', async () => {
    const { id } = await create()
    expect((await upload(id, 'logo', 'logo.png', LOGO)).body.data.logo).toMatchObject({
      fileName: 'logo.png',
      size: LOGO.length,
    })
    await upload(id, 'fonts', 'a.ttf', fontNamed('Firm Sans'))
    await upload(id, 'fonts', 'a.ttf', fontNamed('Firm Serif'))
    const second = await upload(id, 'fonts', 'b.otf', fontNamed('Firm Mono'))
    expect(second.body.data.fonts.map(({ family }: { family: string }) => family)).toEqual(['Firm Serif', 'Firm Mono'])
    const word = wordFile({ body: p('{report.title}') })
    await upload(id, 'docx', 'report.docx', word)
    await publish(id)
    const other = wordFile({ body: p('{report.title} {client.name}') })
    expect((await upload(id, 'docx', 'new.docx', other)).body.data).toMatchObject({
      version: 2,
      docx: { fileName: 'new.docx' },
    })
    const first = await version(id, 1)
    expect(Buffer.from(first?.docx?.bytes ?? '').equals(word)).toBe(true)
    expect(first?.fonts.map(({ family }) => family)).toEqual(['Firm Serif', 'Firm Mono'])
    expect((await version(id, 2))?.docx?.fileName).toBe('new.docx')
  })

  test('a copy has files of its own', async () => {
    const { id } = await create()
    await upload(id, 'docx', 'report.docx', wordFile({ body: p('{report.title}') }))
    const copy = (await owner.post(`${WEB}/${id}/copy`, { name: 'Copy' })).body.data
    expect((await owner.delete(`${WEB}/${id}`)).status).toBe(200)
    expect((await version(copy.id, 1))?.docx?.fileName).toBe('report.docx')
  })

  test('files of other kinds are refused, each with its reason', async () => {
    const { id } = await create()
    const woff = Buffer.concat([Buffer.from('wOF2'), Buffer.alloc(60)])
    const font = await upload(id, 'fonts', 'a.woff2', woff)
    expect([font.status, font.body.error.message]).toEqual([422, expect.stringContaining('upload the TTF or OTF')])
    const logo = await upload(id, 'logo', 'a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    expect([logo.status, logo.body.error.message]).toEqual([422, 'This is not a PNG, JPEG, GIF, WebP or AVIF image.'])
    expect((await upload(id, 'docx', 'a.docx', Buffer.from('%PDF-1.7'))).status).toBe(422)
  })
})

describe('the check', () => {
  test('finds every problem of a Word template; publishing it is 409', async () => {
    const { id } = await create()
    await upload(id, 'docx', 'report.docx', wordFile({ body: p('{report.titel}') + p('{#findings}') }))
    const { body } = await owner.post(`${WEB}/${id}/check`)
    expect(body.data.problems).toMatchObject([
      { level: 'error', tag: '{report.titel}', paragraph: 1, fits: 'title', file: 'word/document.xml' },
      { level: 'error', tag: '{#findings}', paragraph: 2, fits: '{/findings}' },
    ])
    expect(body.data.unusedFields).toContain('client.name')
    const refused = await owner.post(`${WEB}/${id}/publish`)
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'The check of this template found 2 errors: word/document.xml, paragraph 1.',
    ])
  })

  test('a good one has no problem with the difficult reports', async () => {
    const { id } = await create()
    const body = [p('{report.title}'), p('{#findings}'), p('{title}'), p('{@description}'), p('{/findings}')].join('')
    await upload(id, 'docx', 'report.docx', wordFile({ body }))
    expect((await owner.post(`${WEB}/${id}/check`)).body.data.problems).toEqual([])
    expect((await publish(id)).publishedVersion).toBe(1)
  })
})

describe('the template of a new report', () => {
  test('is the one that is named, if it is published and of this client or of all', async () => {
    const ours = await create({ clientId })
    expect(await choose({ templateId: ours.id, clientId })).toBeUndefined()
    await publish(ours.id)
    expect((await choose({ templateId: ours.id, clientId }))?.id).toBe(ours.id)
    expect(await choose({ templateId: ours.id })).toBeUndefined()
    expect(await choose({ templateId: 'rtp_00000000000000000000000000' })).toBeUndefined()
    expect((await choose({ templateId: STANDARD }))?.builtIn).toBe(true)
  })

  test('is otherwise the default of the organization, or the built-in one for the kind', async () => {
    const ours = await create()
    const refused = await owner.patch('/api/web/report-settings', { defaultTemplateId: ours.id })
    expect([refused.status, refused.body.error.message]).toEqual([422, expect.stringContaining('published template')])
    await publish(ours.id)
    const settings = { defaultTemplateId: ours.id, words: ['Contoso'], severityNames: { info: 'Note' } }
    expect((await owner.patch('/api/web/report-settings', settings)).body.data).toMatchObject(settings)
    expect((await choose({}))?.id).toBe(ours.id)
    await owner.delete(`${WEB}/${ours.id}`)
    expect((await owner.get('/api/web/report-settings')).body.data.defaultTemplateId).toBeNull()
    expect((await choose({}))?.name).toBe('Standard')
    const letter = await findTemplate(app.platform.db, organizationId(), { clientId: null, kind: 'attestation' })
    expect(letter?.name).toBe('Attestation letter')
  })
})
