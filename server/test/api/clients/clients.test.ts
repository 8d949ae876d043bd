import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const V1 = '/api/v1/clients'
const WEB = '/api/web/clients'
const UNKNOWN = `cli_${'0'.repeat(26)}`

let app: TestApp
let owner: TestClient
let key: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  key = await app.withKey(['organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const create = async (name: string): Promise<string> => (await owner.post(WEB, { name })).body.data.id
const engagement = async (details: object, client = owner, prefix = '/api/web') => {
  const { status, body } = await client.post(`${prefix}/engagements`, { name: 'With a client', details })
  return { status, body, id: body.data?.id as string }
}
const detailsOf = async (id: string) => (await owner.get(`/api/web/engagements/${id}/details`)).body.data
const limitedTo = async (engagementIds: 'open' | string[]): Promise<TestClient> => {
  const scopes = ['organizations:read', 'organizations:write']
  const { body } = await owner.post('/api/web/api-keys', {
    name: 'limited',
    environment: 'live',
    scopes,
    engagementIds,
  })
  return app.anonymous.with({ authorization: `Bearer ${body.data.value}` })
}

describe('a client', () => {
  test('is created, read, listed, changed and deleted with all its fields', async () => {
    const fields = {
      name: 'Contoso Ltd.',
      shortName: 'CON',
      domains: ['Contoso.example', 'müller.example'],
      contacts: [{ name: 'Noa', role: '', phone: '', email: '' }],
      notes: '**English**',
      language: 'en-gb',
      retention: { archiveAfterDays: 90, deleteAfterDays: null },
    }
    const made = await key.post(V1, fields)
    expect(made.status).toBe(201)
    const stored = {
      ...fields,
      domains: ['contoso.example', 'xn--mller-kva.example'],
      language: 'en-GB',
      createdBy: null,
    }
    expect(made.body.data).toMatchObject(stored)
    const { id, updatedAt } = made.body.data
    expect((await key.get(`${V1}/${id}`)).body.data).toEqual(made.body.data)
    expect((await key.get(`${V1}?q=contoso&sort=name`)).body.data.map((row: { id: string }) => row.id)).toContain(id)
    const changed = await key.patch(`${V1}/${id}`, { shortName: 'CO', retention: null, ifUpdatedAt: updatedAt })
    expect(changed.body.data).toMatchObject({ ...stored, shortName: 'CO', retention: null })
    expect((await key.patch(`${V1}/${id}`, { shortName: 'X', ifUpdatedAt: updatedAt })).status).toBe(409)
    expect((await key.delete(`${V1}/${id}`)).body).toEqual({ data: { deleted: true, id } })
    expect((await key.get(`${V1}/${id}`)).status).toBe(404)
  })

  test.each([
    [{ domains: ['not a domain'] }, 'domains.0: must be a domain name, such as contoso.example'],
    [{ domains: ['10.0.0.1'] }, 'domains.0: must be a domain name, such as contoso.example'],
    [{ language: 'x' }, 'language: '],
    [{ retention: { archiveAfterDays: 0, deleteAfterDays: null } }, 'retention.archiveAfterDays: '],
    [{ name: '' }, 'name: '],
  ])('is not created with %j', async (fields, message) => {
    const { status, body } = await owner.post(WEB, { name: 'Wrong', ...fields })
    expect(status).toBe(422)
    expect(body.error.message).toContain(message)
  })

  test('with an engagement cannot be deleted, not even by someone who does not see the engagement', async () => {
    const creator = await app.signedIn('admin')
    const id = (await creator.post(WEB, { name: 'Kept' })).body.data.id
    const { id: engagementId } = await engagement({ clientId: id, access: 'team' })
    const open = await app.withKey(['organizations:write'])
    expect((await open.delete(`${V1}/${id}`)).status).toBe(409)
    await app.db.updateTable('memberships').set({ role: 'member' }).where('user_id', '=', creator.user.id).execute()
    expect((await creator.delete(`${WEB}/${id}`)).status).toBe(403)
    expect((await owner.delete(`${WEB}/${id}`)).body.error.message).toBe(
      'This client has engagements: delete them, or give them another client first.',
    )
    await owner.patch(`/api/web/engagements/${engagementId}/details`, { clientId: null })
    expect((await owner.delete(`${WEB}/${id}`)).status).toBe(200)
  })

  test('has files, which are deleted with it', async () => {
    const id = await create('With a file')
    const file = await owner.request('POST', `${WEB}/${id}/files?fileName=contract.pdf`, { rawBody: 'bytes' })
    expect(file.status).toBe(201)
    expect((await owner.get(`${WEB}/${id}/files/${file.body.data.id}`)).text).toBe('bytes')
    await owner.delete(`${WEB}/${id}`)
    expect(await app.db.selectFrom('files').select('id').where('owner_id', '=', id).execute()).toEqual([])
  })
})

describe('the client of an engagement', () => {
  test('is selected by id, with its name as clientName, and a new name of the client reaches also hidden engagements', async () => {
    const clientId = await create('Fabrikam')
    const { id } = await engagement({ clientId, access: 'team' })
    expect(await detailsOf(id)).toMatchObject({ clientId, clientName: 'Fabrikam' })
    const open = await app.withKey(['organizations:read', 'organizations:write'])
    expect((await open.patch(`${V1}/${clientId}`, { name: 'Fabrikam Inc.' })).status).toBe(200)
    expect(await detailsOf(id)).toMatchObject({ clientId, clientName: 'Fabrikam Inc.' })
    expect((await owner.get(`/api/web/engagement-summaries?clientId=${clientId}`)).body.data).toMatchObject([
      { id, clientId, clientName: 'Fabrikam Inc.' },
    ])
  })

  test('is selected by name in any letter case, oldest first, or created; an empty name removes it', async () => {
    const [first, second] = [await create('Namesake'), await create('Namesake')]
    const { id } = await engagement({ clientName: 'NAMESAKE' })
    expect(await detailsOf(id)).toMatchObject({ clientId: first, clientName: 'Namesake' })
    const change = (details: object) => owner.patch(`/api/web/engagements/${id}/details`, details)
    await change({ clientId: second })
    // Saving a form that was not changed selects no other client of the same name.
    expect((await change({ clientName: 'Namesake' })).body.data).toMatchObject({ clientId: second })
    const created = (await change({ clientName: 'Litware' })).body.data
    expect((await owner.get(`${WEB}/${created.clientId}`)).body.data).toMatchObject({ name: 'Litware' })
    expect((await change({ clientName: '' })).body.data).toMatchObject({ clientId: null, clientName: '' })
    expect((await change({ clientId: null })).status).toBe(200)
  })

  test('that is unknown, or whose id and name disagree, is 422', async () => {
    const clientId = await create('Agreeing')
    const { id } = await engagement({})
    const change = (details: object) => owner.patch(`/api/web/engagements/${id}/details`, details)
    expect((await change({ clientId: UNKNOWN })).status).toBe(422)
    expect((await change({ clientId, clientName: 'Other' })).status).toBe(422)
    expect((await change({ clientId: null, clientName: 'Agreeing' })).status).toBe(422)
    expect((await change({ clientId, clientName: 'agreeing' })).body.data).toMatchObject({
      clientId,
      clientName: 'Agreeing',
    })
    expect((await engagement({ clientId: UNKNOWN })).status).toBe(422)
  })

  test('is created once by eight concurrent calls with one new name', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => engagement({ clientName: 'At once' })))
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
    const { body } = await owner.get(`${WEB}?q=At once`)
    expect(body.data).toHaveLength(1)
  })

  test('of a clone is that of its source', async () => {
    const { id } = await engagement({ clientName: 'Cloned client' })
    const clone = (await owner.post(`/api/web/engagements/${id}/clone`, { name: 'Clone', include: ['details'] })).body
      .data
    expect(await detailsOf(clone.id)).toMatchObject({
      clientId: (await detailsOf(id)).clientId,
      clientName: 'Cloned client',
    })
  })
})

describe('A10: a client is visible', () => {
  test('to a member through an engagement that the member sees, and 404 otherwise, everywhere', async () => {
    const member = await app.signedIn('member')
    const hidden = await create('Hidden client')
    const { id: engagementId } = await engagement({ clientId: hidden, access: 'team' })
    const own = (await engagement({ lead: member.user.id })).id
    const unknown = await member.get(`${WEB}/${UNKNOWN}`)
    for (const path of [hidden, `${hidden}/files`]) expect((await member.get(`${WEB}/${path}`)).text).toBe(unknown.text)
    expect((await member.get(`${WEB}?q=hidden client`)).body.data).toEqual([])
    expect((await member.patch(`/api/web/engagements/${own}/details`, { clientId: hidden })).status).toBe(422)
    // A name that only a hidden client has does not select it.
    const { data } = (await member.patch(`/api/web/engagements/${own}/details`, { clientName: 'Hidden client' })).body
    expect(data.clientId).not.toBe(hidden)
    await owner.patch(`/api/web/engagements/${engagementId}/details`, { access: 'organization' })
    expect((await member.get(`${WEB}/${hidden}`)).status).toBe(200)
  })

  test('to a limited key through its engagements; it changes and creates none', async () => {
    const [seen, unseen] = [await create('Seen'), await create('Unseen')]
    const { id } = await engagement({ clientId: seen })
    await engagement({ clientId: unseen, access: 'team' })
    for (const limit of [[id], 'open'] as const) {
      const limited = await limitedTo(limit === 'open' ? limit : [...limit])
      expect((await limited.get(`${V1}/${seen}`)).status).toBe(200)
      expect((await limited.get(`${V1}/${unseen}`)).status).toBe(404)
    }
    const limited = await limitedTo([id])
    expect((await limited.patch(`${V1}/${seen}`, { notes: 'x' })).status).toBe(403)
    expect((await limited.post(V1, { name: 'New' })).status).toBe(403)
    const open = await limitedTo('open')
    expect((await open.post(V1, { name: 'New' })).status).toBe(201)
    expect((await open.patch(`${V1}/${unseen}`, { notes: 'x' })).status).toBe(404)
    expect((await limited.patch(`/api/v1/engagements/${id}/details`, { clientName: 'Brand new' })).status).toBe(403)
    expect((await limited.patch(`/api/v1/engagements/${id}/details`, { clientName: 'SEEN' })).status).toBe(200)
  })

  test('to no other organization', async () => {
    const id = await create('Ours')
    const other = await app.withKey(['organizations:read', 'organizations:write'], await app.createOrganization())
    expect((await other.get(`${V1}/${id}`)).status).toBe(404)
    expect((await other.post('/api/v1/engagements', { name: 'Theirs', details: { clientId: id } })).status).toBe(422)
  })
})
