import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, freePort } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code?: number }
}
interface OtlpBody {
  resourceSpans: { resource: { attributes: OtlpSpan['attributes'] }; scopeSpans: { spans: OtlpSpan[] }[] }[]
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const NAME = 'Confidential engagement of a canary'
const CLIENT = 3

/** A collector that keeps what it receives. */
const collect = async (answers = true) => {
  const bodies: { url: string; headers: IncomingHttpHeaders; text: string }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      bodies.push({ url: request.url ?? '', headers: request.headers, text })
      if (answers) response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: () =>
      bodies.flatMap(({ text }) =>
        (JSON.parse(text) as OtlpBody).resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap((scope) => scope.spans),
        ),
      ),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const valueOf = ({ attributes }: Pick<OtlpSpan, 'attributes'>, key: string) => {
  const value = attributes.find((attribute) => attribute.key === key)?.value
  return value?.stringValue ?? value?.intValue
}

describe('traces', () => {
  let collector: Awaited<ReturnType<typeof collect>>
  let app: TestApp
  beforeAll(async () => {
    collector = await collect()
    app = await testApp({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of%20the%20collector',
        OTEL_SERVICE_NAME: 'sortie-test',
        TRUST_PROXY: '127.0.0.1',
      },
    })
  })
  afterAll(async () => {
    await app.close()
    collector.close()
  })

  test('a request continues the trace of a trusted proxy, with its statements, and reveals nothing that was entered', async () => {
    const key = await app.withKey(['organizations:read', 'organizations:write'])
    const traceparent = `00-${TRACE}-${PARENT}-01`
    const made = await key.with({ traceparent }).post('/api/v1/engagements', { name: NAME })
    expect(made.status, made.text).toBe(201)
    await key.get('/api/v1/engagements?canary=query')
    const [request, ...statements] = await eventually(() => {
      const ours = collector.spans().filter(({ traceId }) => traceId === TRACE)
      const root = ours.find(({ parentSpanId }) => parentSpanId === PARENT)
      expect(root).toBeDefined()
      return [root as OtlpSpan, ...ours.filter((span) => span !== root)] as const
    }, 15_000)
    expect(request.name).toBe('POST /api/v1/engagements')
    expect(valueOf(request, 'http.route')).toBe('/api/v1/engagements')
    expect(Number(valueOf(request, 'http.response.status_code'))).toBe(201)
    expect(valueOf(request, 'sortie.organization_id')).toBe(app.organization.id)
    expect(valueOf(request, 'sortie.request_id')).toBe(made.headers.get('x-request-id'))
    expect(statements.length).toBeGreaterThan(1)
    for (const span of statements) {
      expect(span).toMatchObject({ parentSpanId: request.spanId, kind: CLIENT })
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
      expect(valueOf(span, 'db.query.summary')).toBe(span.name)
    }
    expect(statements.some(({ name }) => name.startsWith('insert engagements'))).toBe(true)
    const sent = collector.bodies.map(({ text }) => text).join('\n')
    for (const secret of [NAME, 'canary', 'First organization', key.value]) expect(sent).not.toContain(secret)
    const [first] = collector.bodies
    expect(first?.url).toBe('/v1/traces')
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer of the collector',
    })
    const [resource] = (JSON.parse(first?.text ?? '') as OtlpBody).resourceSpans
    expect(valueOf(resource?.resource as never, 'service.name')).toBe('sortie-test')
  })

  test('a job is a trace of its own, with its kind', async () => {
    const owner = await app.signedIn('owner')
    await owner.post('/api/web/organizations/current/members/invite', { email: 'guest@example.com', role: 'member' })
    const jobs = await eventually(() => {
      const found = collector.spans().filter(({ name }) => name.startsWith('job '))
      expect(found.length).toBeGreaterThan(0)
      return found
    }, 15_000)
    expect(jobs.map(({ name }) => name)).toContain('job deliver-mail')
    for (const span of jobs) expect(span.name).toBe(`job ${valueOf(span, 'sortie.job')}`)
  })

  test('a trace that the proxy does not record is not sent; a traceparent of a stranger begins another trace', async () => {
    const key = await app.withKey(['organizations:read'])
    const unrecorded = '11111111111111111111111111111111'
    const read = '/api/v1/organizations/current'
    await key.with({ traceparent: `00-${unrecorded}-${PARENT}-00` }).get(read)
    const stranger = '22222222222222222222222222222222'
    const direct = await testApp({ workers: false, env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint } })
    try {
      const { status } = await direct.anonymous.get(read, { headers: { traceparent: `00-${stranger}-${PARENT}-01` } })
      expect(status).toBe(401)
    } finally {
      await direct.close()
    }
    const later = await key.get(read)
    await eventually(() => {
      const ids = collector.spans().map((span) => valueOf(span, 'sortie.request_id'))
      expect(ids).toContain(later.headers.get('x-request-id'))
      expect(collector.spans().some((span) => Number(valueOf(span, 'http.response.status_code')) === 401)).toBe(true)
    }, 15_000)
    expect(collector.spans().map(({ traceId }) => traceId)).not.toContain(unrecorded)
    expect(collector.spans().map(({ traceId }) => traceId)).not.toContain(stranger)
  })
})

describe('a collector that fails', () => {
  test('is dead: requests are answered, one line names the setting, and the server stops as usual', async () => {
    const app = await testApp({
      workers: false,
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` },
    })
    const warnings = () => app.logLines.filter((line) => line.includes('traces do not reach the collector'))
    await app.anonymous.get('/api/v1/me')
    for (let i = 0; i < 3; i++) expect((await app.anonymous.get('/api/v1/me')).status).toBe(401)
    await eventually(() => expect(warnings()).toHaveLength(1), 20_000)
    expect(warnings()).toHaveLength(1)
    expect(warnings()[0]).toContain('OTEL_EXPORTER_OTLP_ENDPOINT')
    await app.close()
  })

  test('never answers: requests do not wait for it', async () => {
    const silent = await collect(false)
    const app = await testApp({ workers: false, env: { OTEL_EXPORTER_OTLP_ENDPOINT: silent.endpoint } })
    await app.anonymous.get('/api/v1/me')
    await eventually(() => expect(silent.bodies.length).toBeGreaterThan(0), 15_000)
    // The batch hangs: later requests are answered meanwhile.
    for (let i = 0; i < 20; i++) expect((await app.anonymous.get('/api/v1/me')).status).toBe(401)
    expect(app.logLines.some((line) => line.includes('traces do not reach'))).toBe(false)
    await app.close()
    silent.close()
  })
})
