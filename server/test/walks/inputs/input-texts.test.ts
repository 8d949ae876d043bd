import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs, variantsFor } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { bodyOf, type JsonSchema, type Mounted, mountedRoutes, pathOf } from '../../support/walks/walk.ts'

let app: TestApp
let key: TestClient & { value: string }
let owner: TestClient
const ENGAGEMENTS = '/api/v1/engagements'

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(SCOPE_NAMES)
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const clientOf = (route: Mounted) => (route.door === 'key' ? key : owner)
const withBody = () =>
  mountedRoutes(app).filter(
    ({ endpoint, requirement }) => endpoint.body && requirement !== 'public' && requirement !== 'instance-admin',
  )

describe('I6: texts', () => {
  test('names are returned trimmed and in NFC, descriptions as they were sent', async () => {
    const visible = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter(
        (text) =>
          /^[\p{L}\p{N}\p{S}\p{P}\p{M} ]+$/u.test(text) && text.trim() !== '' && !/[\u0600-\u0605\p{Cf}]/u.test(text),
      )
    const multiline = fc
      .string({ unit: 'binary', maxLength: 200 })
      .filter((text) => text.isWellFormed() && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text))
    await fc.assert(
      fc.asyncProperty(visible, multiline, async (name, description) => {
        const { status, body } = await key.post(ENGAGEMENTS, { name, description })
        if (status === 422) return
        expect(status).toBe(201)
        expect((await key.get(`${ENGAGEMENTS}/${body.data.id}`)).body.data).toMatchObject({
          name: name.trim().normalize('NFC'),
          description,
        })
      }),
      { numRuns: runs(150) },
    )
  })

  test.each([
    'Ärzte & Söhne',
    '日本語のテスト',
    'مرحبا',
    '🚀 Mission 🎯',
    'a\u0301',
    'Ⅷ',
    "O'Neil; drop table users --",
    '<b>bold</b>',
    '%s %d',
    '${x}',
    '𝒳',
  ])('%s is accepted as a name', async (name) => {
    const { status, body } = await key.post(ENGAGEMENTS, { name })
    expect(status).toBe(201)
    expect(body.data.name).toBe(name.normalize('NFC'))
  })

  const DECEPTIVE = [
    '\u202e',
    '\u2066',
    '\u200b',
    '\u200d',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u034f',
    '\u115f',
    '\u3164',
    '\uffa0',
    '\u180e',
    '\u{e0041}',
    '\u061c',
    '\u200e',
    '\u2028',
    '\u2029',
    '\u0085',
    '\u007f',
    '\u001b',
    '\t',
    '\n',
    '\ufff9',
  ]
  test.each(DECEPTIVE.map((character) => [character.codePointAt(0)?.toString(16), character] as const))(
    'a name with U+%s answers 422',
    async (_code, character) => {
      expect((await key.post(ENGAGEMENTS, { name: `a${character}b` })).status).toBe(422)
      expect((await key.patch('/api/v1/organizations/current', { name: `a${character}b` })).status).toBe(422)
    },
  )

  test('a name without a visible character answers 422', async () => {
    for (const name of ['', ' ', '\u00a0', '\u3000\u2003', '\u00ad', '\u3164', '\u200b'])
      expect((await key.post(ENGAGEMENTS, { name })).status, JSON.stringify(name)).toBe(422)
  })

  /** Unicode writes these with characters that are invisible by themselves. */
  const NEEDED: [what: string, name: string][] = [
    ['Persian, with ZWNJ between joining letters', 'نمی\u200cخواهم'],
    ['Persian, with ZWNJ after a vowel mark', 'ی\u064b\u200cخ'],
    ['Persian, with ZWNJ at several places', 'می\u200cروم و خانه\u200cها'],
    ['Syriac, with ZWNJ', 'ܒ\u200cܒ'],
    ['Hindi, with a half form', 'क्\u200dष'],
    ['Hindi, with a visible virama', 'क्\u200cष'],
    ['Malayalam, with a chillu in the older spelling', 'അവന്\u200d'],
    ['Sinhala', 'ශ්\u200dරී ලංකා'],
    ['Bengali, with a full RA', 'র\u200d্যাব'],
    ['Kannada, with a full RA', 'ರ\u200d್ಕ'],
    ['an emoji of a person at work', '\u{1f469}\u200d\u{1f4bb} Team'],
    ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}'],
    ['an emoji with a skin tone', '\u{1f9d1}\u{1f3fd}\u200d\u{1f680}'],
    ['a rainbow flag', '\u{1f3f3}\ufe0f\u200d\u{1f308}'],
    ['a heart on fire', '\u2764\ufe0f\u200d\u{1f525}'],
    ['the same without a variation selector', '\u2764\u200d\u{1f525}'],
    ['the flag of a country', '\u{1f1e9}\u{1f1ea}'],
    ['the flag of England', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['a keycap', '1\ufe0f\u20e3'],
    ['a telephone as emoji', '\u260e\ufe0f'],
    ['a telephone as text', '\u260e\ufe0e'],
    ['a sign of letters as emoji', '\u00a9\ufe0f 2026'],
    ['an ideograph with a variant', '\u845b\ufe00'],
  ]
  test.each(NEEDED)('%s is accepted as a name, and returned as it was sent', async (_what, name) => {
    const { status, body } = await key.post(ENGAGEMENTS, { name })
    expect(status).toBe(201)
    expect(body.data.name).toBe(name.normalize('NFC'))
    const renamed = await key.patch('/api/v1/organizations/current', { name })
    expect([renamed.status, renamed.body.data.name]).toEqual([200, name.normalize('NFC')])
  })

  /** Without the invisible character, these look the same. */
  const MISPLACED: [what: string, name: string][] = [
    ['ZWJ between Latin letters', 'a\u200db'],
    ['ZWNJ between Latin letters', 'a\u200cb'],
    ['ZWJ between Cyrillic letters', 'а\u200dб'],
    ['ZWJ at the beginning', '\u200dab'],
    ['ZWJ at the end', 'ab\u200d'],
    ['ZWNJ at the beginning of a Persian word', '\u200cنمی'],
    ['ZWNJ at the end of a Persian word', 'نمی\u200c'],
    ['ZWNJ twice', 'نمی\u200c\u200cخواهم'],
    ['ZWNJ after an Arabic letter that joins no other', 'کار\u200cآفرین'],
    ['ZWJ between Arabic letters, which join anyhow', 'اب\u200dج'],
    ['ZWJ after an Indic letter without a virama', 'क\u200dष'],
    ['ZWJ twice after a virama', 'क्\u200d\u200dष'],
    ['ZWNJ after a virama at the end', 'क्\u200c'],
    ['ZWJ after an emoji', '\u{1f600}\u200d'],
    ['ZWJ before an emoji', '\u200d\u{1f600}'],
    ['ZWJ between a letter and an emoji', 'a\u200d\u{1f600}'],
    ['a variation selector after a letter', 'a\ufe0f'],
    ['a variation selector after a digit that is not a keycap', '1\ufe0f'],
    ['two variation selectors', '\u260e\ufe0f\ufe0f'],
    ['tags after no flag', 'a\u{e0067}\u{e0062}\u{e0065}\u{e007f}'],
    ['tags that nothing ends', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}'],
    [
      'tags that spell a sentence',
      `\u{1f3f4}${[...'ignorethis'].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('')}\u{e007f}`,
    ],
  ]
  test.each(MISPLACED)('a name with %s answers 422', async (_what, name) => {
    const { status, body } = await key.post(ENGAGEMENTS, { name })
    expect([status, body.error.message]).toEqual([
      422,
      'name: must not contain control, invisible or direction characters',
    ])
  })

  test('text pasted from a terminal or a raw response is accepted unchanged, wherever Markdown or evidence is written', async () => {
    const pasted = '\u001b[31mHTTP/1.1 200 OK\u001b[0m\r\n\u0007\u0001 \u202e'
    const engagementId = (await key.post(ENGAGEMENTS, { name: 'Pasted' })).body.data.id
    const made = async (path: string, body: object) => {
      const answer = await key.post(`/api/v1/${path}`, { engagementId, ...body })
      expect(answer.status, answer.text).toBe(201)
      return answer.body.data
    }
    expect(await made('targets', { value: '192.0.2.1', notes: pasted })).toMatchObject({ notes: pasted })
    expect(await made('scope-rules', { effect: 'allow', pattern: '192.0.2.0/24', note: pasted })).toMatchObject({
      note: pasted,
    })
    expect(await made('api-requests', { name: 'Pasted', url: 'http://192.0.2.1/', description: pasted })).toMatchObject(
      { description: pasted },
    )
    expect(await made('tasks', { title: 'Pasted', description: pasted })).toMatchObject({ description: pasted })
    expect(await made('wiki-pages', { title: 'Pasted', body: pasted })).toMatchObject({ body: pasted })
    const data = { description: pasted, solution: pasted, request: pasted, response: pasted, evidence: [pasted] }
    expect(
      await made('results', { title: 'Pasted', severity: 'low', asset: '192.0.2.1', notes: pasted, data }),
    ).toMatchObject({ notes: pasted, data })
  })

  test('a search term is compared in the form in which texts are stored', async () => {
    const admin = await app.signIn(await app.createUser('Instance Administrator', { isInstanceAdmin: true }))
    await app.createOrganization('Caf\u00e9 Z\u00fcrich')
    const found = await admin.get(`/api/web/instance/organizations?search=${encodeURIComponent('cafe\u0301 zu\u0308')}`)
    expect(found.body.data.map(({ name }: { name: string }) => name)).toEqual(['Caf\u00e9 Z\u00fcrich'])
    for (const search of [
      '%00',
      'a%00b',
      '%ED%A0%80',
      '%ED%B0%80',
      'x'.repeat(201),
      'x'.repeat(10_000),
      '%CC%81'.repeat(2_000),
    ])
      expect((await admin.get(`/api/web/instance/organizations?search=${search}`)).status, search.slice(0, 20)).toBe(
        400,
      )
  })
})

describe('I11: the limits of every text', () => {
  /** More than the length limits these. */
  const RECOGNISED = ['pattern', 'value', 'url', 'address', 'sourceAddress', 'host']

  /** Texts with a limit in their schema, from the bodies of all routes, except passwords, addresses and tokens. */
  const bounded = () =>
    withBody().flatMap((route) =>
      (Object.entries(route.endpoint.body?.properties ?? {}) as [string, JsonSchema][])
        .filter(
          ([name, schema]) =>
            !RECOGNISED.includes(name) &&
            (schema.format === 'single-line' || schema.format === 'multi-line' || schema.description === 'Markdown'),
        )
        .map(([name, schema]) => ({ route, name, max: schema.maxLength as number })),
    )

  test('the longest is accepted, also in characters of four bytes; one more answers 422', async () => {
    const fields = bounded()
    expect(fields.length).toBeGreaterThanOrEqual(8)
    for (const { route, name, max } of fields) {
      for (const character of variantsFor(route.name + name, 4, ['x', 'ä', '𝒳', '🚀'])) {
        const send = (length: number) =>
          clientOf(route).request(route.method, pathOf(route), {
            body: { ...(bodyOf(route) as object), [name]: character.repeat(length) },
          })
        expect((await send(max + 1)).status, `${route.name} ${name} ${character} x ${max + 1}`).toBe(422)
        const { status, body: answer } = await send(max)
        // An object that the sample body names need not exist: the error names its field.
        const isRefused =
          status === 422 ? answer.error.message.startsWith(name) : ![200, 201, 404, 409].includes(status)
        expect(isRefused, `${route.name} ${name} ${character} x ${max}: ${status}`).toBe(false)
      }
    }
  })

  test('the longest is stored completely', async () => {
    const name = '🚀'.repeat(200)
    const description = '𝒳'.repeat(10_000)
    const { body } = await key.post(ENGAGEMENTS, { name, description })
    expect((await key.get(`${ENGAGEMENTS}/${body.data.id}`)).body.data).toMatchObject({ name, description })
    expect((await key.patch('/api/v1/organizations/current', { name })).body.data.name).toBe(name)
    expect((await key.get('/api/v1/organizations/current')).body.data.name).toBe(name)
  })

  test('an address of 254 characters is accepted, one of 255 refused', async () => {
    const domain = (length: number) => `${'d'.repeat(60)}.`.repeat(3) + `${'e'.repeat(length - 183 - 4)}.com`
    const address = (length: number) => `${'a'.repeat(64)}@${domain(length - 65)}`
    const invite = (email: string) =>
      key.post('/api/v1/organizations/current/members/invite', { email, role: 'member' })
    expect(address(254).length).toBe(254)
    expect((await invite(address(254))).status).toBe(201)
    expect((await invite(address(255))).status).toBe(422)
  })
})
