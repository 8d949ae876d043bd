import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { type Receiver, startReceiver } from '../../../support/races/receiver.ts'

let app: TestApp
let key: TestClient
let engagementId: string
let web: Receiver

beforeAll(async () => {
  web = await startReceiver(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    response.statusCode = pathname === '/fails' ? 500 : 200
    response.end(
      JSON.stringify({ token: searchParams.get('token') ?? 't-1', long: 'x'.repeat(20_000), nul: 'a\u0000b' }),
    )
  })
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: `127.0.0.1:${web.port}` } })
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  engagementId = (await (await app.signedIn('owner')).post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(async () => {
  await app.close()
  await web.close()
})

const environmentOf = async (variables: object[], place: string | null = engagementId): Promise<string> => {
  const response = await key.post('/api/v1/environments', { engagementId: place, name: 'Staging', variables })
  expect(response.status, response.text).toBe(201)
  return response.body.data.id
}
const variablesOf = async (id: string) => (await key.get(`/api/v1/environments/${id}`)).body.data.variables
const send = async (environmentId: string, captures: object[], request: object = {}) => {
  const response = await key.post('/api/v1/api-requests/send', {
    engagementId,
    environmentId,
    request: { url: `${web.origin}/`, captures, ...request },
  })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}
const token = (variable: string, keep?: boolean) => ({
  variable,
  from: 'json',
  path: '$.token',
  ...(keep !== undefined && { keep }),
})

test('a capture with keep stores its value in the environment: a new variable, an existing one, and a secret, which stays one', async () => {
  const id = await environmentOf([
    { name: 'known', value: 'old', secret: false },
    { name: 'hidden', value: 'old-secret', secret: true },
    { name: 'other', value: 'stays', secret: false },
    { name: 'sealed', value: 'stays-secret', secret: true },
  ])
  const run = await send(id, [
    token('known', true),
    token('hidden', true),
    token('added', true),
    token('only', false),
    token('unset'),
  ])
  expect(run.captured).toEqual({ known: 't-1', hidden: 't-1', added: 't-1', only: 't-1', unset: 't-1' })
  expect(await variablesOf(id)).toEqual([
    { name: 'known', value: 't-1', secret: false, isSet: true },
    { name: 'hidden', value: null, secret: true, isSet: true },
    { name: 'other', value: 'stays', secret: false, isSet: true },
    { name: 'sealed', value: null, secret: true, isSet: true },
    { name: 'added', value: 't-1', secret: false, isSet: true },
  ])
  // The next request uses them, and the secret that was not captured is still there.
  await send(id, [], { url: `${web.origin}/{{hidden}}/{{added}}/{{sealed}}` })
  expect(web.received.at(-1)?.url).toBe('/t-1/t-1/stays-secret')
})

test('a value that contains a secret of the environment becomes a secret', async () => {
  const id = await environmentOf([{ name: 'password', value: 'correct-horse-battery', secret: true }])
  await send(id, [token('echoed', true)], { url: `${web.origin}/?token=Bearer-{{password}}` })
  expect((await variablesOf(id)).at(-1)).toEqual({ name: 'echoed', value: null, secret: true, isSet: true })
})

test('nothing is kept without an environment, in one of the organization, of a value that is too long, or where nothing matches', async () => {
  const shared = await environmentOf([{ name: 'known', value: 'old', secret: false }], null)
  await send(shared, [token('known', true)])
  expect(await variablesOf(shared)).toEqual([{ name: 'known', value: 'old', secret: false, isSet: true }])
  const own = await environmentOf([])
  await send(own, [
    { variable: 'long', from: 'json', path: '$.long', keep: true },
    { variable: 'missing', from: 'json', path: '$.missing', keep: true },
  ])
  expect(await variablesOf(own)).toEqual([])
  // NUL cannot be stored.
  await send(own, [{ variable: 'nul', from: 'json', path: '$.nul', keep: true }])
  expect(await variablesOf(own)).toEqual([{ name: 'nul', value: 'a\ufffdb', secret: false, isSet: true }])
  const response = await key.post('/api/v1/api-requests/send', {
    engagementId,
    request: { url: `${web.origin}/`, captures: [token('known', true)] },
  })
  expect(response.body.data).toMatchObject({ state: 'succeeded', captured: { known: 't-1' } })
})

test('a full environment keeps what it has, and the run is recorded', async () => {
  const variables = Array.from({ length: 200 }, (_, index) => ({ name: `v${index}`, value: 'x', secret: false }))
  const id = await environmentOf(variables)
  expect(await send(id, [token('one-more', true)])).toMatchObject({ state: 'succeeded' })
  expect((await variablesOf(id)).map(({ name }: { name: string }) => name)).toEqual(variables.map(({ name }) => name))
})
