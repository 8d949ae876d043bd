import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let owner: TestClient
let engagementId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  engagementId = (await owner.post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(() => app.close())

const add = async (data: object, fields: object = {}): Promise<string> => {
  const { status, body, text } = await owner.post('/api/web/results', {
    engagementId,
    title: 'Orders leak',
    asset: 'https://shop.example/orders',
    severity: 'high',
    data,
    ...fields,
  })
  expect(status, text).toBe(201)
  return body.data.id
}
const excerptOf = async (id: string) => (await owner.get(`/api/web/results/${id}/excerpt`)).body.data

describe('the excerpt of a result', () => {
  test('has its proof in one text, with credentials and cookies of headers masked, also where else they occur', async () => {
    const data = {
      request: [
        'GET /orders?copy=typed-by-hand-22 HTTP/1.1',
        'Host: shop.example',
        'Authorization: Bearer typed-by-hand-22',
        'Cookie: sid=cookie-of-a-person-33; theme=dark',
      ].join('\r\n'),
      response: [
        'HTTP/1.1 200 OK',
        'Set-Cookie: session=set-by-the-answer-1; Path=/; Secure',
        '',
        '{"you":"cookie-of-a-person-33","session":"set-by-the-answer-1"}',
      ].join('\r\n'),
      evidence: [
        `curl -H 'Authorization: Basic ${Buffer.from('noa:pass-of-noa-44').toString('base64')}' https://shop.example/orders`,
        '{"cookie": "other=in-json-5555", "status": 200}',
        'the password is pass-of-noa-44',
      ],
    }
    const id = await add(data, { asset: 'https://shop.example/?t=typed-by-hand-22' })
    expect(await excerptOf(id)).toEqual({
      title: 'Orders leak',
      asset: 'https://shop.example/?t=••••',
      text: [
        'GET /orders?copy=•••• HTTP/1.1\r',
        'Host: shop.example\r',
        'Authorization: Bearer ••••\r',
        'Cookie: sid=••••; theme=••••',
        'HTTP/1.1 200 OK\r',
        'Set-Cookie: session=••••; Path=/; Secure\r',
        '\r',
        '{"you":"••••","session":"••••"}',
        "curl -H 'Authorization: Basic ••••' https://shop.example/orders",
        '{"cookie": "other=••••", "status": 200}',
        'the password is ••••',
      ].join('\n'),
      isCut: false,
    })
    // The result itself stays as it was recorded.
    expect((await owner.get(`/api/web/results/${id}`)).body.data.data.request).toContain('typed-by-hand-22')
  })

  test('of a result without a proof is empty, and a long one is cut before what was not searched', async () => {
    expect(await excerptOf(await add({ description: 'Seen.' }))).toMatchObject({ text: '', isCut: false })
    const id = await add({ request: 'GET / HTTP/1.1' })
    // The last secret begins before the end of what is searched.
    const exchanges = [{ request: `Cookie: a=secret-cookie-66\n${'x'.repeat(262_110)}`, response: 'secret-cookie-66' }]
    await app.asSuperuser(
      `update results set large_data = '${JSON.stringify({ exchanges })}'::jsonb where id = '${id}'`,
    )
    const { text, isCut } = await excerptOf(id)
    expect(isCut).toBe(true)
    expect(text.length).toBeLessThan(262_144 - 16_000)
    expect(text).not.toContain('secret')
  })

  test('of many different credentials takes no longer than others', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `Set-Cookie: c${index}=value-number-${index}-of-many`)
    const { text } = await excerptOf(await add({ response: lines.join('\n').slice(0, 64_000) }))
    expect(text).not.toContain('value-number-')
  })

  test('needs targets:read, and is 404 for a result that the caller does not see', async () => {
    const id = await add({ request: 'GET / HTTP/1.1' })
    const findings = await app.withKey(['reports:read'])
    expect((await findings.get(`/api/v1/results/${id}/excerpt`)).status).toBe(403)
    const outsider = await app.signedIn('owner', await app.createOrganization())
    expect((await outsider.get(`/api/web/results/${id}/excerpt`)).status).toBe(404)
  })
})
