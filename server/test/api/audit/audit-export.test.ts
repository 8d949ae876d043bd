import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csvLine } from '../../../src/platform/text/csv.ts'
import { runs } from '../../support/app/nightly.ts'
import { type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let organization: TestOrganization
let owner: TestClient
beforeAll(async () => {
  app = await testApp({ workers: false })
  organization = await app.createOrganization('Audited')
  owner = await app.signedIn('owner', organization)
})
afterAll(() => app.close())

const rename = (name: string) => owner.patch('/api/web/organizations/current', { name })

describe('the export of the audit log', () => {
  test('is a CSV download of the filtered entries, newest first, and is itself audited', async () => {
    await rename('Name, with "quotes"')
    await rename('Second name')
    const answer = await owner.get('/api/web/audit/export?action=organization.renamed')
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"')
    const lines = answer.text.split('\r\n')
    expect(lines[0]).toBe(
      'time,actor type,actor,actor id,key environment,action,object type,object id,address,before,after,id',
    )
    expect(lines).toHaveLength(4)
    expect(lines[1]).toContain('"{""name"":""Second name""}"')
    expect(lines[2]).toContain('"{""name"":""Name, with \\""quotes\\""""}"')
    const { body } = await owner.get('/api/web/audit?action=audit.exported')
    expect(body.data[0].after).toEqual({ filteredBy: ['action'] })
  })

  test('ASVS 1.2.10: a cell that a spreadsheet would execute is neutralised', async () => {
    const actor_name = '=HYPERLINK("http://evil.example","x")'
    await app.db
      .insertInto('audit_entries')
      .values({ ...ENTRY, organization_id: organization.id, actor_name })
      .execute()
    const { text } = await owner.get('/api/web/audit/export?action=test.entry')
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")"`)
    for (const start of ['=', '+', '-', '@', '\t', '\r', '＝']) expect(csvLine([`${start}1`])).toContain(`'${start}1`)
    expect(csvLine(['plain', null, 'two\nlines', ' padded'])).toBe('plain,,"two\nlines"," padded"\r\n')
  })

  test('U8, I19: a formula after another country’s list separator is neutralised, in names and in changes', async () => {
    await app.db
      .insertInto('audit_entries')
      .values({
        ...ENTRY,
        id: ENTRY.id.replaceAll('z', 'y'),
        organization_id: organization.id,
        actor_name: 'Eve;@SUM(1)\t=2',
        after: JSON.stringify({ names: ['a', '-1'] }),
      })
      .execute()
    const { text } = await owner.get('/api/web/audit/export?action=test.entry')
    expect(text).toContain(`"Eve;'@SUM(1)\t'=2"`)
    expect(text).toContain(`"{""names"":[""a"",""'-1""]}"`)
  })

  test('U8, I19: with any separator no cell starts with a formula, and each text differs only by added apostrophes', () => {
    const piece = fc.constantFrom(...'=+-@＝＋－＠,;\t\r\n"\' \u0000a1', '""', '"=', ';"=')
    const cells = fc.array(
      fc.oneof(
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
        fc.string({ unit: 'binary' }),
      ),
      { minLength: 1, maxLength: 5 },
    )
    fc.assert(
      fc.property(cells, (texts) => {
        const line = csvLine(texts)
        expect(line.endsWith('\r\n')).toBe(true)
        for (const separator of [',', ';', '\t']) {
          const beginnings = [...cellsOf(line, separator), ...line.split(new RegExp(`[${separator}\\r\\n]`))]
          expect(beginnings.filter((cell) => /^["\s]*[=+\-@\u0000＝＋－＠]/u.test(cell))).toEqual([])
        }
        const withoutApostrophes = (text: string) => text.replaceAll("'", '')
        expect(cellsOf(line, ',').map(withoutApostrophes)).toEqual(texts.map(withoutApostrophes))
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('U8: the time for a long text grows only with its length', () => {
    const duration = (length: number) => {
      const startedAt = performance.now()
      csvLine([' '.repeat(length), '\n'.repeat(length), '"'.repeat(length), ';='.repeat(length / 2)])
      return performance.now() - startedAt
    }
    duration(100_000)
    expect(duration(1_000_000)).toBeLessThan(100 * Math.max(1, duration(100_000)))
  })

  test('streams more entries than one batch, each once', async () => {
    const big = await app.createOrganization()
    const reader = await app.signedIn('owner', big)
    const ids = Array.from({ length: 1_250 }, (_, i) => `aud_${String(i).padStart(26, '0')}`)
    await app.db
      .insertInto('audit_entries')
      .values(ids.map((id) => ({ ...ENTRY, id, organization_id: big.id })))
      .execute()
    const { text } = await reader.get('/api/web/audit/export?action=test.entry')
    const found = text.match(/aud_\d{26}/g) ?? []
    expect(found).toEqual(ids.toReversed())
  })

  test('A6: contains only entries of its organization, for owner and admins', async () => {
    const other = await app.createOrganization('Canary of another tenant')
    const stranger = await app.signedIn('owner', other)
    await stranger.patch('/api/web/organizations/current', { name: 'Canary renamed' })
    expect((await owner.get('/api/web/audit/export')).text).not.toContain('Canary')
    const member = await app.signedIn('member', organization)
    for (const path of ['audit', 'audit/filters', 'audit/export'])
      expect((await member.get(`/api/web/${path}`)).status).toBe(403)
  })

  test('rejects an unknown filter', async () => {
    expect((await owner.get('/api/web/audit/export?actions=x')).status).toBe(400)
  })
})

test('the filters list every action and actor that occurs, and none of another organization (A6)', async () => {
  const own = await app.createOrganization()
  const ada = await app.signedIn('owner', own)
  await ada.patch('/api/web/organizations/current', { name: 'Renamed' })
  const { body: created } = await ada.post('/api/web/api-keys', {
    name: 'inviter',
    environment: 'live',
    scopes: ['organizations:write'],
  })
  const key = app.anonymous.with({ authorization: `Bearer ${created.data.value}` })
  await key.post('/api/v1/organizations/current/members/invite', { email: 'audit.filters@example.com', role: 'member' })
  const { body } = await ada.get('/api/web/audit/filters')
  expect(body.data.actions).toEqual(['api-key.created', 'member.invited', 'organization.renamed'])
  expect(body.data.actors).toEqual(
    expect.arrayContaining([
      { id: own.owner.id, type: 'user', name: own.owner.name },
      { id: created.data.id, type: 'key', name: 'inviter' },
    ]),
  )
  expect(body.data.actors).toHaveLength(2)
})

/** The cells of one line as a reader of RFC 4180 splits it, with another separator. */
const cellsOf = (line: string, separator: string): string[] => {
  const cells: string[] = []
  let [cell, isQuoted] = ['', false]
  const text = line.slice(0, -2)
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string
    if (isQuoted && character === '"' && text[i + 1] === '"') cell += text[i++]
    else if (character === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (character === separator && !isQuoted) cells.push(cell)
    else cell += character
    if (character === separator && !isQuoted) cell = ''
  }
  return [...cells, cell]
}

const ENTRY = {
  id: 'aud_zzzzzzzzzzzzzzzzzzzzzzzzzz',
  actor_type: 'user' as const,
  actor_id: null,
  actor_name: 'somebody',
  action: 'test.entry',
  object_type: 'test',
  created_at: '2026-11-21T08:30:00.000Z',
}

describe('O10: a download', () => {
  const downloads = async (): Promise<
    { actor: { type: string }; object: { type: string; id: string }; after: object }[]
  > => (await owner.get('/api/web/audit?action=data.downloaded')).body.data

  test('with a key has an entry with the key, the engagement and the filters; HEAD and a refused one have none', async () => {
    const key = await app.withKey(SCOPE_NAMES, organization)
    const { body } = await owner.post('/api/web/engagements', { name: 'Exported' })
    const engagementId = body.data.id
    const answer = await key.get(`/api/v1/results/export?format=csv&engagementId=${engagementId}&severity=high`)
    expect(answer.status).toBe(200)
    expect(await downloads()).toMatchObject([
      {
        actor: { type: 'key', id: key.keyId },
        object: { type: 'engagement', id: engagementId, name: 'results.csv' },
        after: { endpoint: 'exportResults', filteredBy: ['engagementId', 'severity'] },
      },
    ])
    await key.request('HEAD', `/api/v1/targets/export?format=csv&engagementId=${engagementId}`)
    expect((await key.get('/api/v1/targets/export?format=wrong')).status).toBe(400)
    expect(await downloads()).toHaveLength(1)
    const { body: engagement } = await owner.get(`/api/web/engagements/${engagementId}/activity`)
    expect(JSON.stringify(engagement.data)).not.toContain('data.downloaded')
  })

  test('of a stored file has an entry; a picture that a page shows has none', async () => {
    const { body } = await owner.post('/api/web/engagements', { name: 'With a picture' })
    const engagementId = body.data.id
    const upload = await owner.post(`/api/web/engagements/${engagementId}/files?fileName=dot.png`, undefined, {
      rawBody: Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    })
    const file = `/api/web/engagements/${engagementId}/files/${upload.body.data.id}`
    const before = (await downloads()).length
    expect((await owner.get(file, { headers: { 'sec-fetch-dest': 'image' } })).status).toBe(200)
    expect(await downloads()).toHaveLength(before)
    expect((await owner.get(file)).status).toBe(200)
    expect((await downloads())[0]).toMatchObject({
      actor: { type: 'user' },
      object: { type: 'file', id: upload.body.data.id, name: 'dot.png' },
    })
  })
})

describe('O11: the audit log of the instance', () => {
  test('shows its administrators what belongs to no organization, and nothing of an organization; the export is an entry', async () => {
    const user = await app.createUser(undefined, { isInstanceAdmin: true })
    const administrator = await app.signIn(user)
    await rename('Not of the instance')
    const { body } = await administrator.get('/api/web/instance/audit')
    const actions = body.data.map(({ action }: { action: string }) => action)
    expect(actions).toContain('session.started')
    expect(actions).not.toContain('organization.renamed')
    const answer = await administrator.get('/api/web/instance/audit/export?action=session.started')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="instance-audit-log.csv"')
    expect(answer.text.split('\r\n').length).toBeGreaterThan(2)
    expect(answer.text).not.toContain('organization.renamed')
    const exported = await administrator.get('/api/web/instance/audit?action=audit.exported')
    expect(exported.body.data).toMatchObject([{ actor: { id: user.id }, after: { filteredBy: ['action'] } }])
    expect((await owner.get('/api/web/instance/audit')).status).toBe(403)
  })
})
