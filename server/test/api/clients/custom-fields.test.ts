import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyTaskTrash } from '../../../src/features/tasks/undo/trash.service.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const WEB = '/api/web/field-definitions'
const DAY_MS = 24 * 60 * 60 * 1000

let app: TestApp
let owner: TestClient
let engagementId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  engagementId = (await owner.post('/api/web/engagements', { name: 'With fields' })).body.data.id
})
afterAll(() => app.close())

const define = async (objectType: string, key: string, type = 'text', more: object = {}) => {
  const { status, body, text } = await owner.post(WEB, { objectType, key, type, label: key, ...more })
  expect(status, text).toBe(201)
  return body.data as { id: string; updatedAt: string }
}
const createTask = async (fields: object, client = owner) =>
  client.post('/api/web/tasks', { engagementId, title: 'With fields', fields })

describe('a definition', () => {
  test('is created, listed in order, changed and deleted; object type, key and type never change', async () => {
    const first = await define('client', 'first', 'choice', { options: ['a', 'b'], required: true, help: 'Help' })
    const second = await define('client', 'second')
    const keysOf = async () =>
      (await owner.get(`${WEB}?objectType=client`)).body.data.map(({ key }: { key: string }) => key)
    expect(await keysOf()).toEqual(['first', 'second'])
    const { body } = await owner.patch(`${WEB}/${second.id}`, {
      position: 0,
      label: 'Second',
      ifUpdatedAt: second.updatedAt,
    })
    expect(body.data).toMatchObject({ key: 'second', label: 'Second', position: 0 })
    expect((await owner.patch(`${WEB}/${second.id}`, { label: 'x', ifUpdatedAt: second.updatedAt })).status).toBe(409)
    expect((await owner.patch(`${WEB}/${first.id}`, { key: 'other' })).status).toBe(422)
    expect((await owner.delete(`${WEB}/${first.id}`)).status).toBe(200)
    expect(await keysOf()).toEqual(['second'])
  })

  test.each([
    [{ key: 'Upper' }, 422],
    [{ key: 'same' }, 409],
    [{ key: 'n', type: 'choice' }, 422],
    [{ key: 'n', options: ['a'] }, 422],
  ])('is not created with %j', async (wrong, status) => {
    if (status === 409) await define('finding', 'same')
    expect((await owner.post(WEB, { objectType: 'finding', type: 'text', label: 'x', ...wrong })).status).toBe(status)
  })

  test('is written by admins and keys with organizations:write, and read by every member and key, limited ones included', async () => {
    const member = await app.signedIn('member')
    const wanted = { objectType: 'library_entry', key: 'guarded', type: 'text', label: 'x' }
    expect((await member.post(WEB, wanted)).status).toBe(403)
    expect((await (await app.withKey(['organizations:write'])).post('/api/v1/field-definitions', wanted)).status).toBe(
      201,
    )
    expect((await member.get(`${WEB}?objectType=library_entry`)).body.data).toHaveLength(1)
    const limited = await owner.post('/api/web/api-keys', {
      name: 'limited',
      environment: 'live',
      scopes: ['wiki:read'],
      engagementIds: [engagementId],
    })
    const key = app.anonymous.with({ authorization: `Bearer ${limited.body.data.value}` })
    expect((await key.get('/api/v1/field-definitions?objectType=library_entry')).body.data).toHaveLength(1)
  })

  test('beyond 50 of one object type is refused, also by concurrent calls', async () => {
    const other = await app.signedIn('owner', await app.createOrganization())
    const create = (place: number) =>
      other.post(WEB, { objectType: 'task', key: `key_${place}`, type: 'text', label: 'x' })
    for (let place = 0; place < 48; place++) expect((await create(place)).status).toBe(201)
    const last = await Promise.all([48, 49, 50, 51, 52].map(create))
    expect(last.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409])
  })
})

describe('values', () => {
  test('of every type are stored and read, merged by key, and cleared by null', async () => {
    const member = await app.createMember('member')
    await define('task', 'v_text')
    await define('task', 'v_markdown', 'markdown')
    await define('task', 'v_number', 'number')
    await define('task', 'v_boolean', 'boolean')
    await define('task', 'v_date', 'date')
    await define('task', 'v_url', 'url')
    await define('task', 'v_choice', 'choice', { options: ['a', 'b'] })
    await define('task', 'v_choices', 'choices', { options: ['a', 'b'] })
    await define('task', 'v_person', 'person')
    const plain = {
      v_text: 'One line',
      v_markdown: '# Two\nlines',
      v_number: -1.5,
      v_boolean: false,
      v_date: '2026-02-28',
      v_url: 'https://contoso.example/a?b=c',
      v_choice: 'a',
      v_choices: ['b', 'a'],
    }
    const made = await createTask({ ...plain, v_person: member.id })
    expect(made.status, made.text).toBe(201)
    const shown = { ...plain, v_person: { id: member.id, name: member.name } }
    expect(made.body.data.fields).toEqual(shown)
    const path = `/api/web/tasks/${made.body.data.id}`
    const { v_number: _, ...rest } = shown
    expect((await owner.patch(path, { fields: { v_number: null, v_text: 'Other' } })).body.data.fields).toEqual({
      ...rest,
      v_text: 'Other',
    })
    const history = (await owner.get(`${path}/history`)).body.data[0]
    expect(history).toMatchObject({
      before: { fields: { v_number: -1.5, v_text: 'One line' } },
      after: { fields: { v_number: null, v_text: 'Other' } },
    })
  })

  test.each([
    ['unknown_key', 'x', 'there is no such field'],
    ['v_text', 1, 'must be one line'],
    ['v_text', 'two\nlines', 'must be one line'],
    ['v_number', '1', 'must be a number'],
    ['v_boolean', 'true', 'must be true or false'],
    ['v_date', '2026-02-30', 'must be a day'],
    ['v_url', 'javascript:alert(1)', 'must be a web address'],
    ['v_choice', 'c', 'must be one of the options'],
    ['v_choices', ['a', 'a'], 'must be a list of options'],
    ['v_person', `usr_${'0'.repeat(26)}`, 'must be the id of a member'],
  ])('with %s set to %j are 422 and name the key, and nothing is stored', async (key, value, message) => {
    const { status, body } = await createTask({ [key]: value })
    expect(status).toBe(422)
    expect(body.error.message).toContain(`fields.${key}: ${message}`)
  })

  test('a person without access to the engagement is refused', async () => {
    const member = await app.createMember('member')
    const closed = (await owner.post('/api/web/engagements', { name: 'Closed', details: { access: 'team' } })).body.data
      .id
    const { status, body } = await owner.post('/api/web/tasks', {
      engagementId: closed,
      title: 'x',
      fields: { v_person: member.id },
    })
    expect(status).toBe(422)
    expect(body.error.message).toBe('fields.v_person: must be the id of a member with access to this engagement')
  })

  test('with a removed option stay readable, and can be sent again unchanged', async () => {
    const { id } = await define('task', 'v_old', 'choice', { options: ['old', 'new'] })
    const task = (await createTask({ v_old: 'old' })).body.data
    await owner.patch(`${WEB}/${id}`, { options: ['new'] })
    const { status, body } = await owner.patch(`/api/web/tasks/${task.id}`, { fields: { v_old: 'old', v_text: 'x' } })
    expect(status).toBe(200)
    expect(body.data.fields).toEqual({ v_old: 'old', v_text: 'x' })
    expect((await createTask({ v_old: 'old' })).status).toBe(422)
  })

  test('of library entries are written, read, filtered, and part of exports, which the import reads again', async () => {
    const member = await app.signedIn('member')
    await define('library_entry', 'practice')
    await define('library_entry', 'title')
    await define('library_entry', 'keeper', 'person')
    const fields = { practice: '=Web', title: 'Not the title', keeper: member.user.id }
    const entry = { key: 'with-fields', mainLanguage: 'en', texts: { en: { title: 'With fields' } }, fields }
    const made = await member.post('/api/web/library-entries', entry)
    const shown = { ...fields, keeper: { id: member.user.id, name: member.user.name } }
    expect([made.status, made.body.data.fields]).toEqual([201, shown])
    const found = await member.get(`/api/web/library-entries?field=${encodeURIComponent('practice:=Web')}`)
    expect(found.body.data).toMatchObject([{ id: made.body.data.id, fields: shown }])

    const exported = async (format: string) =>
      (await member.get(`/api/web/library-entries/export?format=${format}`)).text
    expect(JSON.parse(await exported('json')).entries).toMatchObject([{ key: 'with-fields', fields }])
    const csv = await exported('csv')
    expect(csv.split('\r\n')[0]).toContain('fields.practice,fields.title,fields.keeper')
    expect(csv).toContain(`'=Web,Not the title,${member.user.name}`)
    const send = async (file: string) =>
      (await member.request('POST', '/api/web/library-entries/import?mode=apply', { rawBody: file })).body.data
    for (const format of ['json', 'csv'])
      expect(await send(await exported(format))).toEqual({ created: 0, updated: 0, unchanged: 1, rejected: [] })
    const changed = { ...entry, fields: { practice: 'Network', title: null } }
    const wrong = { ...entry, key: 'wrong', fields: { unheard_of: 'x' } }
    const unknown = { ...entry, key: 'with-fields-2', fields: { practice: 'API' } }
    expect(await send(JSON.stringify({ entries: [changed, wrong, unknown] }))).toEqual({
      created: 1,
      updated: 1,
      unchanged: 0,
      rejected: [{ position: 2, reason: 'fields.unheard_of: there is no such field' }],
    })
    const read = (await member.get(`/api/web/library-entries/${made.body.data.id}`)).body.data.fields
    expect(read).toEqual({ practice: 'Network', keeper: shown.keeper })
    const { meta } = (await member.get('/api/web/library-entries?builtIn=false&q=wrong')).body
    expect(meta.total).toBe(0)
  })

  test('of clients, engagements and targets are written and read', async () => {
    for (const type of ['client', 'engagement', 'target']) await define(type, 'everywhere')
    const fields = { everywhere: 'x' }
    const client = (await owner.post('/api/web/clients', { name: 'C', fields })).body.data
    const engagement = (
      await owner.post('/api/web/engagements', { name: 'E', details: { fields, clientId: client.id } })
    ).body.data
    const target = (
      await owner.post('/api/web/targets', { engagementId: engagement.id, value: 'fields.example', fields })
    ).body.data
    const paths = [`clients/${client.id}`, `engagements/${engagement.id}/details`, `targets/${target.id}`]
    for (const path of paths) {
      expect((await owner.get(`/api/web/${path}`)).body.data.fields, path).toEqual(fields)
      expect((await owner.patch(`/api/web/${path}`, { fields: { everywhere: 'y' } })).body.data.fields, path).toEqual({
        everywhere: 'y',
      })
    }
    const clone = (
      await owner.post(`/api/web/engagements/${engagement.id}/clone`, { name: 'F', include: ['details', 'targets'] })
    ).body.data
    expect((await owner.get(`/api/web/engagements/${clone.id}/details`)).body.data.fields).toEqual({ everywhere: 'y' })
    expect((await owner.get(`/api/web/targets?engagementId=${clone.id}`)).body.data[0].fields).toEqual({
      everywhere: 'y',
    })
  })

  test('of a deleted field are hidden, and return with the same key and type within 30 days', async () => {
    const { id } = await define('task', 'v_back', 'number')
    const task = (await createTask({ v_back: 7 })).body.data
    const fieldsNow = async () => (await owner.get(`/api/web/tasks/${task.id}`)).body.data.fields
    await owner.delete(`${WEB}/${id}`)
    expect(await fieldsNow()).toEqual({})
    const other = await define('task', 'v_back', 'text')
    expect(await fieldsNow()).toEqual({})
    await owner.delete(`${WEB}/${other.id}`)
    expect((await define('task', 'v_back', 'number')).id).toBe(id)
    expect(await fieldsNow()).toEqual({ v_back: 7 })
  })

  test('of a field that was deleted 30 days ago are deleted', async () => {
    const { cleanFields } = await import('../../../src/features/custom-fields/field-definitions.service.ts')
    const { id } = await define('task', 'v_gone')
    const task = (await createTask({ v_gone: 'x' })).body.data
    await owner.delete(`${WEB}/${id}`)
    await cleanFields({
      ...app.platform,
      clock: { ...app.platform.clock, now: () => app.platform.clock.now() + 31 * DAY_MS },
    })
    expect(await app.db.selectFrom('field_values').select('value').where('object_id', '=', task.id).execute()).toEqual(
      [],
    )
    expect((await define('task', 'v_gone')).id).not.toBe(id)
  })

  test('stay while their object is in the trash, and are deleted with it', async () => {
    const task = (await createTask({ v_text: 'x' })).body.data
    const values = () => app.db.selectFrom('field_values').select('value').where('object_id', '=', task.id).execute()
    await owner.delete(`/api/web/tasks/${task.id}`)
    expect(await values()).toEqual([{ value: 'x' }])
    await emptyTaskTrash({
      ...app.platform,
      clock: { ...app.platform.clock, now: () => app.platform.clock.now() + 31 * DAY_MS },
    })
    expect(await values()).toEqual([])
  })
})

describe('the filter field', () => {
  test('matches values of every type, all of several, and the rest of the text after the first colon', async () => {
    const id = (await createTask({ v_text: 'a:b,c', v_number: 3, v_choices: ['a', 'b'] })).body.data.id
    const found = async (...fields: string[]) => {
      const query = fields.map((field) => `field=${encodeURIComponent(field)}`).join('&')
      return (await owner.get(`/api/web/tasks?engagementId=${engagementId}&${query}`)).body.data.map(
        (task: { id: string }) => task.id,
      )
    }
    expect(await found('v_text:a:b,c')).toEqual([id])
    expect(await found('v_text:a:b,c', 'v_number:3.0', 'v_choices:b')).toContain(id)
    expect(await found('v_text:a:b,c', 'v_number:4')).toEqual([])
    expect(await found('v_number:x')).toEqual([])
  })

  test('with an unknown key, or without a colon, is 400', async () => {
    const lists = ['tasks', 'targets', 'clients', 'engagement-summaries', 'findings', 'library-entries']
    const counts = ['tasks', 'engagement-summaries', 'findings'].map((list) => `${list}/facets?by=status`)
    for (const list of [...counts, 'targets/facets?by=kind', 'targets/export?format=csv', 'tasks/export?format=csv'])
      expect((await owner.get(`/api/web/${list}&field=never:x`)).body.error.message, list).toBe(
        'field: there is no field never',
      )
    for (const list of lists) {
      expect((await owner.get(`/api/web/${list}?field=never:x`)).body.error.message, list).toBe(
        'field: there is no field never',
      )
      expect((await owner.get(`/api/web/${list}?field=never`)).status, list).toBe(400)
    }
  })

  test('with an unknown key refuses bulk changes, retests and scans as it refuses lists', async () => {
    const filter = { engagementId, field: ['never:x'] }
    const changes: [string, object][] = [
      ['findings/bulk-update', { filter, set: { severity: 'low' } }],
      ['tasks/bulk-update', { filter, set: { status: 'done' } }],
      ['targets/bulk-update', { filter, set: { addTags: ['x'] } }],
      ['retests', { engagementId, name: 'Again', filter }],
      ['scans', { engagementId, scanners: [{ id: 'dns' }], targets: { filter } }],
    ]
    for (const [path, body] of changes) {
      const { status, body: answer } = await owner.post(`/api/web/${path}`, body)
      expect([status, answer.error?.message], path).toEqual([400, 'field: there is no field never'])
    }
  })

  test('exports have a column for each field', async () => {
    await createTask({ v_text: '=cmd' })
    const { text } = await owner.get('/api/web/tasks/export?format=csv')
    expect(text.split('\r\n')[0]).toContain('v_text')
    expect(text).toContain("'=cmd")
    await owner.post('/api/web/targets', {
      engagementId,
      value: 'exported.example',
      fields: { everywhere: 'in a file' },
    })
    expect((await owner.get('/api/web/targets/export?format=csv')).text).toContain('in a file')
  })
})
