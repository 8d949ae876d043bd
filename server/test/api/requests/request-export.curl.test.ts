import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Receiver, startReceiver, type Received } from '../../support/races/receiver.ts'

const run = promisify(execFile)
let app: TestApp
let key: TestClient
let engagementId: string
let web: Receiver

beforeAll(async () => {
  web = await startReceiver((_, response) => response.end('fine'))
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: `127.0.0.1:${web.port}` } })
  key = await app.withKey(['api-requests:read', 'api-requests:write', 'organizations:write'])
  engagementId = (await key.post('/api/v1/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(async () => {
  await app.close()
  await web.close()
})

const HOSTILE = `$(id) \`id\` ' " \\ && | ; * ? [a] {b} ~ ! # %20 é €`
const enabled = (name: string, value: string) => ({ name, value, enabled: true })

const REQUESTS: [string, { path?: string } & Record<string, unknown>][] = [
  ['a plain GET', {}],
  [
    'a query that a shell and curl would read otherwise',
    { query: [enabled('q', HOSTILE), enabled('range', '[1-3]'), enabled('off', 'x')] },
  ],
  [
    'headers with quotes, twice, and empty',
    {
      headers: [
        enabled('X-A', `'"$HOME" \`id\``),
        enabled('X-B', 'one'),
        enabled('X-B', 'two'),
        enabled('X-Empty', ''),
      ],
    },
  ],
  [
    'text with line breaks, beginning with @',
    { method: 'POST', body: { mode: 'raw', mediaType: 'text/plain', text: `@/etc/passwd\n\n${HOSTILE}\r\nend` } },
  ],
  ['JSON', { method: 'PUT', body: { mode: 'json', text: `{"a": "it's \\u00e9 ${'x'.repeat(3_000)}"}` } }],
  ['a form', { method: 'POST', body: { mode: 'form', fields: [enabled('a b', 'c&d=e+f'), enabled('q', HOSTILE)] } }],
  [
    'parts',
    { method: 'POST', body: { mode: 'multipart', parts: [enabled('a', '<b>;type=x'), enabled('q', HOSTILE)] } },
  ],
  [
    'a method of its own with a body',
    {
      method: 'PROPFIND',
      headers: [enabled('Depth', '0')],
      body: { mode: 'raw', mediaType: 'application/xml', text: '<a/>' },
    },
  ],
  ['a HEAD', { method: 'HEAD' }],
  [
    'an address with every sign that a shell or curl reads',
    { path: `/it's/"q"/$HOME/\`id\`/a\\b/!x/<y>/[1-3]/{a,b}/é ü?q=it's "q" $HOME \`id\` \\ ! <> | ^ é` },
  ],
  ['an address with line breaks and tabs', { path: '/one\ntwo\t/three?four=\nfive' }],
  ['an address with an end that is not sent', { path: '/a?b=c#frag?ment', query: [enabled('d', 'e')] }],
  ['an address with an empty query, and a query of its own', { path: '/a?', query: [enabled('d', `it's`)] }],
  ['braces that are text', { path: '/\\{{name}}/{{7*7}}?x=\\{{name}}', query: [enabled('q', '\\{{name}}{{7*7}}')] }],
  ['a path with dot segments', { path: '/a/../b/./c/..' }],
  ['a path with encoded dot segments', { path: '/a/%2e%2e/%2E./.%2e/b?x=/../' }],
  ['a header with blanks around it', { headers: [enabled('X-A', '  a b  '), enabled('X-B', '   ')] }],
  ['text of no named type', { method: 'POST', body: { mode: 'raw', text: `it's "$HOME" \\ \`id\` !\nend` } }],
  [
    'parts with types and quotes',
    {
      method: 'POST',
      body: {
        mode: 'multipart',
        parts: [
          { ...enabled('j', `{"a": "it's \\ \n $x"}`), mediaType: 'application/json' },
          { ...enabled('f', '@/etc/passwd;type=x'), mediaType: 'text/plain; charset=utf-8' },
        ],
      },
    },
  ],
]

/** The content of a request without the headers that each program adds by itself. */
const described = ({ method, url, rawHeaders, headers, body }: Received) => {
  const boundary = /boundary=([^;]+)/.exec(headers['content-type'] ?? '')?.[1]?.replaceAll('"', '')
  const own = new Set([
    'host',
    'user-agent',
    'accept',
    'accept-encoding',
    'connection',
    'content-length',
    'content-type',
    'expect',
  ])
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name.toLowerCase()}: ${rawHeaders[index + 1]}`] : [],
  )
  return {
    method,
    url,
    type: headers['content-type']?.split('; boundary')[0],
    headers: pairs.filter((pair) => !own.has(pair.slice(0, pair.indexOf(':')))),
    body: boundary ? body.replaceAll(boundary, 'boundary') : body,
  }
}

test.each(REQUESTS)(
  'exported as a cURL command and run by curl arrives as when it is executed: %s',
  async (_, { path = '/a/b%2Fc?x=1', ...fields }) => {
    const made = await key.post('/api/v1/api-requests', {
      engagementId,
      name: 'Exported',
      url: `${web.origin}${path}`,
      ...fields,
    })
    expect(made.status, made.text).toBe(201)
    const { id } = made.body.data
    const executed = await key.post(`/api/v1/api-requests/${id}/execute`, {})
    expect(executed.body.data?.state, executed.text).toBe('succeeded')
    const { curl } = (await key.get(`/api/v1/api-requests/${id}/curl`)).body.data
    const count = web.received.length
    await run('sh', ['-c', `${curl} --silent --show-error --max-time 20`])
    expect(web.received).toHaveLength(count + 1)
    const [ours, theirs] = web.received.slice(-2) as [Received, Received]
    expect(described(theirs)).toEqual(described(ours))
  },
)

test('exported as a cURL command an address with variables keeps them, and the text around them is encoded', async () => {
  const url = `{{base}}/it's/"{{name}}"/../{{ {{id}}?q="{{q}}"&r={7}#end`
  const { id } = (
    await key.post('/api/v1/api-requests', { engagementId, name: 'Exported', url, query: [enabled('s', '{{s}} "')] })
  ).body.data
  const { curl } = (await key.get(`/api/v1/api-requests/${id}/curl`)).body.data
  expect(curl).toContain(
    `--path-as-is --url '{{base}}/it'\\''s/%22{{name}}%22/../%7B%7B%20{{id}}?q=%22{{q}}%22&r={7}&s={{s}}%20%22'`,
  )
})
