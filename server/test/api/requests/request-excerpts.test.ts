import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Receiver, startReceiver } from '../../support/races/receiver.ts'

const RUNS = '/api/v1/request-runs'
const SECRET = 'key-of-staging-4711'

let app: TestApp
let key: TestClient
let engagementId: string
let web: Receiver

beforeAll(async () => {
  web = await startReceiver(({ url, headers }, response) => {
    const cookie = 'session=set-by-the-answer-1; Path=/; Secure'
    if (url === '/utf-16')
      return response
        .writeHead(200, { 'content-type': 'text/plain; charset=utf-16le' })
        .end(Buffer.from(SECRET, 'utf16le'))
    if (url === '/picture')
      return response
        .writeHead(200, { 'content-type': 'image/png' })
        .end(Buffer.concat([Buffer.alloc(8), Buffer.from(SECRET)]))
    if (url === '/long') return response.end(`${'a'.repeat(245_750)}${SECRET}${'b'.repeat(100_000)}`)
    if (url === '/latin1')
      return response
        .writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' })
        .end(Buffer.from(`ä ${SECRET} ö`, 'latin1'))
    if (url === '/empty') return response.writeHead(204).end()
    const echoed = {
      sent: headers,
      base64: Buffer.from(`user:${SECRET}`).toString('base64'),
      session: 'set-by-the-answer-1',
      umlaut: 'ü',
    }
    response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': [cookie] }).end(JSON.stringify(echoed))
  })
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: `127.0.0.1:${web.port}` } })
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  engagementId = (await (await app.signedIn('owner')).post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(async () => {
  await app.close()
  await web.close()
})

/** Sends a request with a secret of an environment in a header. @returns the id of the run */
const send = async (url: string, headers: Record<string, string> = {}): Promise<string> => {
  const environment = { engagementId, name: `For ${url}`, variables: [{ name: 'key', value: SECRET, secret: true }] }
  const { id: environmentId } = (await key.post('/api/v1/environments', environment)).body.data
  const listed = Object.entries({ 'x-key': '{{key}}', ...headers }).map(([name, value]) => ({
    name,
    value,
    enabled: true,
  }))
  const { body, text } = await key.post('/api/v1/api-requests/send', {
    engagementId,
    environmentId,
    request: { url: `${web.origin}${url}`, headers: listed },
  })
  expect(body.data?.state, text).toBe('succeeded')
  return body.data.id
}
const excerptOf = async (id: string) => (await key.get(`${RUNS}/${id}/excerpt`)).body.data

describe('the excerpt of a run', () => {
  test('has secrets, typed credentials, cookies and those of the answer masked, also in the body; the body itself stays as received', async () => {
    const typed = {
      authorization: 'Bearer typed-by-hand-22',
      cookie: 'sid=cookie-typed-33; theme=dark',
      'x-copy': 'typed-by-hand-22',
    }
    const id = await send('/echo', typed)
    const { request, response } = await excerptOf(id)
    const named = (list: { name: string; value: string }[], wanted: string) =>
      list.find(({ name }) => name.toLowerCase() === wanted)?.value
    expect(['authorization', 'cookie', 'x-key', 'x-copy'].map((name) => named(request.headers, name))).toEqual([
      'Bearer ••••',
      'sid=••••; theme=••••',
      '••••',
      '••••',
    ])
    expect(named(response.headers, 'set-cookie')).toBe('session=••••; Path=/; Secure')
    const shown = JSON.parse(response.body)
    expect(shown.sent).toMatchObject({ authorization: 'Bearer ••••', cookie: 'sid=••••; theme=dark', 'x-key': '••••' })
    expect(shown).toMatchObject({ session: '••••', umlaut: 'ü' })
    const whole = JSON.stringify({ request, response })
    for (const credential of [SECRET, 'typed-by-hand-22', 'cookie-typed-33', 'set-by-the-answer-1'])
      expect(whole).not.toContain(credential)
    expect(Buffer.from(shown.base64, 'base64').toString()).not.toContain(SECRET)
    expect((await key.get(`${RUNS}/${id}/body`)).text).toContain(SECRET)
  })

  test('has no part of a secret at its end, and keeps the charset of the body', async () => {
    const long = (await excerptOf(await send('/long'))).response.body
    expect(long).toBe(`${'a'.repeat(245_750)}••••`)
    expect((await excerptOf(await send('/latin1'))).response.body).toBe('ä •••• ö')
  })

  test('has no body that cannot be searched for secrets, and says why', async () => {
    expect((await excerptOf(await send('/utf-16'))).response).toMatchObject({
      body: null,
      omitted: 'text/plain, 38 bytes',
    })
    expect((await excerptOf(await send('/picture'))).response).toMatchObject({
      body: null,
      omitted: 'image/png, 27 bytes',
    })
    expect((await excerptOf(await send('/empty'))).response).toMatchObject({ body: null, omitted: null })
    const old = await send('/echo')
    await sql`update request_runs set body_secrets = null where id = ${old}`.execute(app.db)
    expect((await excerptOf(old)).response).toMatchObject({
      body: null,
      omitted: 'recorded by an earlier version: send the request again',
    })
  })
})
