import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUILT_IN_ENTRIES } from '../../../src/features/library/built-in/known-entries.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const WEB = '/api/web/library-entries'

let app: TestApp
let owner: TestClient
let member: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
})
afterAll(() => app.close())

const create = async (key: string): Promise<string> => {
  const { status, body, text } = await member.post(WEB, { key, mainLanguage: 'en', texts: { en: { title: key } } })
  expect(status, text).toBe(201)
  return body.data.id
}
const upload = (client: TestClient, id: string, name = 'proof.txt') =>
  client.request('POST', `${WEB}/${id}/files?fileName=${name}`, { rawBody: 'bytes of a file' })

test('files of a draft are uploaded, listed, read and deleted by members, and the audit log names the entry', async () => {
  const id = await create('with-files')
  const { status, body, text } = await upload(member, id)
  expect(status, text).toBe(201)
  expect((await member.get(`${WEB}/${id}/files`)).body.data).toMatchObject([{ fileName: 'proof.txt', size: 15 }])
  expect((await member.get(`${WEB}/${id}/files/${body.data.id}`)).text).toBe('bytes of a file')
  const { data } = (await owner.get('/api/web/audit?action=file.uploaded')).body
  expect(data[0].after).toMatchObject({ fileName: 'proof.txt', libraryEntryId: id })
  expect((await member.delete(`${WEB}/${id}/files/${body.data.id}`)).status).toBe(200)
  expect((await member.get(`${WEB}/${id}/files`)).body.data).toEqual([])
})

test('files of an approved entry change only by those who approve entries, those of a built-in entry never', async () => {
  const id = await create('approved-files')
  await owner.patch(`${WEB}/${id}`, { state: 'approved' })
  expect((await upload(member, id)).status).toBe(403)
  const file = (await upload(owner, id)).body.data
  expect((await member.delete(`${WEB}/${id}/files/${file.id}`)).status).toBe(403)
  expect((await member.get(`${WEB}/${id}/files/${file.id}`)).status).toBe(200)
  const builtIn = BUILT_IN_ENTRIES[0]?.id as string
  expect((await upload(owner, builtIn)).status).toBe(409)
  expect((await member.get(`${WEB}/${builtIn}/files`)).body.data).toEqual([])
})

test('a proposal holds no files until it is approved', async () => {
  const engagementId = (await owner.post('/api/web/engagements', { name: 'Proposing' })).body.data.id
  const finding = (await owner.post('/api/web/findings', { engagementId, title: 'Proposed with files' })).body.data
  const { id } = (await owner.post(WEB, { fromFindingId: finding.id })).body.data
  expect((await upload(owner, id)).status).toBe(409)
  expect((await owner.patch(`${WEB}/${id}`, { state: 'approved' })).status).toBe(200)
  expect((await upload(owner, id)).status).toBe(201)
})

test('deleting an entry deletes its files', async () => {
  const id = await create('deleted-with-files')
  const file = (await upload(member, id)).body.data
  expect((await member.delete(`${WEB}/${id}`)).status).toBe(200)
  const left = await app.db.selectFrom('files').select('id').where('id', '=', file.id).execute()
  expect(left).toEqual([])
})
