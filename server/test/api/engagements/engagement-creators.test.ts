import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let owner: TestClient & { user: { id: string } }
let member: TestClient & { user: { id: string; name: string } }
const ENGAGEMENTS = '/api/web/engagements'
const SETTINGS = '/api/web/organizations/current/settings'

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
})
afterAll(() => app.close())

const permission = async () => (await member.get('/api/web/organizations')).body.data[0].permissions.createEngagements
const details = async (id: string) => (await owner.get(`${ENGAGEMENTS}/${id}/details`)).body.data

test('members create engagements only where an admin has allowed it, and lead them', async () => {
  const template = (
    await owner.post(ENGAGEMENTS, { name: 'Template', details: { isTemplate: true, lead: owner.user.id } })
  ).body.data.id
  expect((await owner.get(SETTINGS)).body.data.membersCreateEngagements).toBe(false)
  expect(await permission()).toBe(false)
  expect((await member.post(ENGAGEMENTS, { name: 'Own' })).status).toBe(403)
  expect((await member.post(`${ENGAGEMENTS}/${template}/clone`, { name: 'Own', include: [] })).status).toBe(403)
  expect((await member.get(SETTINGS)).status).toBe(403)
  expect((await member.patch(SETTINGS, { membersCreateEngagements: true })).status).toBe(403)

  expect((await owner.patch(SETTINGS, { membersCreateEngagements: true })).body.data.membersCreateEngagements).toBe(
    true,
  )
  expect(await permission()).toBe(true)
  const created = await member.post(ENGAGEMENTS, { name: 'Own', details: { access: 'team' } })
  expect(created.status, created.text).toBe(201)
  expect(await details(created.body.data.id)).toMatchObject({ access: 'team', lead: { id: member.user.id } })
  expect((await member.get(`${ENGAGEMENTS}/${created.body.data.id}`)).status).toBe(200)
  expect((await member.post(ENGAGEMENTS, { name: 'For another', details: { lead: owner.user.id } })).status).toBe(422)
  const clone = await member.post(`${ENGAGEMENTS}/${template}/clone`, {
    name: 'From the template',
    include: ['details'],
  })
  expect(clone.status, clone.text).toBe(201)
  expect(await details(clone.body.data.id)).toMatchObject({
    isTemplate: false,
    lead: { id: member.user.id },
    team: [{ id: owner.user.id }],
  })
  expect(
    (await member.delete(`${ENGAGEMENTS}/${clone.body.data.id}`, { body: { name: 'From the template' } })).status,
  ).toBe(403)

  await owner.patch(SETTINGS, { membersCreateEngagements: false })
  expect((await member.post(ENGAGEMENTS, { name: 'Own' })).status).toBe(403)
})

test('a key is not concerned by the setting, and the owner leads nothing by creating', async () => {
  await owner.patch(SETTINGS, { membersCreateEngagements: true })
  const reader = await app.withKey(['organizations:read'])
  expect((await reader.post('/api/v1/engagements', { name: 'By key' })).status).toBe(403)
  const { id } = (await owner.post(ENGAGEMENTS, { name: 'By the owner' })).body.data
  expect((await details(id)).lead).toBeNull()
})

test('an engagement has several kinds, of which kind is the first, and may be a template', async () => {
  const { id } = (await owner.post(ENGAGEMENTS, { name: 'Kinds', details: { kinds: ['web', 'cloud'] } })).body.data
  expect(await details(id)).toMatchObject({ kind: 'web', kinds: ['web', 'cloud'], isTemplate: false })
  const path = `${ENGAGEMENTS}/${id}/details`
  expect((await owner.patch(path, { kinds: ['cloud', 'web'] })).body.data).toMatchObject({
    kind: 'cloud',
    kinds: ['cloud', 'web'],
  })
  expect((await owner.patch(path, { kind: 'mobile' })).body.data).toMatchObject({ kind: 'mobile', kinds: ['mobile'] })
  for (const wrong of [
    { kinds: [] },
    { kinds: ['web', 'web'] },
    { kind: 'web', kinds: ['cloud'] },
    { kinds: ['nothing'] },
  ]) {
    expect((await owner.patch(path, wrong)).status, JSON.stringify(wrong)).toBe(422)
  }
  await owner.patch(path, { kinds: ['network', 'social'], isTemplate: true })
  const names = async (query: string) =>
    (await owner.get(`/api/web/engagement-summaries?${query}`)).body.data.map(({ name }: { name: string }) => name)
  expect(await names('kind=social')).toEqual(['Kinds'])
  expect(await names('template=true')).toEqual(['Kinds', 'Template'])
})

test('details given to a clone replace the copied ones, without opening an engagement for its team to others', async () => {
  await owner.patch(SETTINGS, { membersCreateEngagements: true })
  const hidden = {
    access: 'team',
    kinds: ['web', 'cloud'],
    clientName: 'Contoso',
    startsOn: '2026-12-01',
    lead: member.user.id,
  }
  const source = (await owner.post(ENGAGEMENTS, { name: 'For its team', details: hidden })).body.data.id
  const clone = async (client: TestClient, given: object) =>
    client.post(`${ENGAGEMENTS}/${source}/clone`, { name: 'Copy', include: ['details'], details: given })
  const copied = await clone(owner, { access: 'organization', kinds: ['mobile'], clientName: 'Fabrikam', lead: null })
  expect(copied.status, copied.text).toBe(201)
  const expected = {
    access: 'team',
    kind: 'mobile',
    kinds: ['mobile'],
    clientName: 'Fabrikam',
    startsOn: '2026-12-01',
    lead: null,
  }
  expect(await details(copied.body.data.id)).toMatchObject(expected)
  expect((await clone(member, { lead: owner.user.id })).status).toBe(422)
  expect((await clone(owner, { team: ['usr_01jd7w2v4pf1y8m3c6k9t0r5xz'] })).status).toBe(422)
  const narrowed = await owner.post(`${ENGAGEMENTS}/${copied.body.data.id}/clone`, {
    name: 'Nothing',
    include: [],
    details: { access: 'team', clientName: 'Given' },
  })
  expect(await details(narrowed.body.data.id)).toMatchObject({ access: 'team', clientName: 'Given', kinds: ['other'] })
})
