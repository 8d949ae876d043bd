import { afterAll, beforeAll, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { variantsFor } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import {
  anyId,
  GROWTHS,
  type Growth,
  largePartsOf,
  largestBody,
  type Shape,
} from '../../support/inputs/largest-bodies.ts'
import { longestTurn } from '../../support/inputs/request-cost.ts'
import { type TwoTenants, twoTenants } from '../../support/walks/two-tenants.ts'
import {
  idPrefixOf,
  isWrite,
  type JsonSchema,
  type Mounted,
  mountedRoutes,
  paramsOf,
  pathOf,
  takesBytes,
} from '../../support/walks/walk.ts'

/** Longest uninterrupted processor time of the main thread. */
const TURN_MS = 500
const MEMORY_BYTES = 200 * 1_048_576
const BODY_LIMIT = 1_048_576
const PUBLIC_BODY_LIMIT = 16_384
/** Garbage collection runs at any time: the minimum of these attempts counts. */
const ATTEMPTS = 4

let app: TestApp
let tenants: TwoTenants
/** Belongs to the organization that sends nothing large. */
let other: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false, env: { LOG_LEVEL: 'silent', DNS_SERVERS: '127.0.0.1:1' } })
  tenants = await twoTenants(app)
  other = await app.withKey(['organizations:read'], tenants.victim)
})
afterAll(() => app.close())

interface Measured {
  status: number
  text: string
  turnMs: number
  addedBytes: number
  /** The status that another organization received during the request. */
  otherStatus: number
}

const measure = async (send: () => Promise<{ status: number; text: string }>): Promise<Measured> => {
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  let answer = { status: 0, text: '' }
  let otherStatus = 0
  const turnMs = await longestTurn(async () => {
    const sent = send()
    const asked = other.get('/api/v1/engagements')
    answer = await sent
    otherStatus = (await asked).status
  })
  clearInterval(timer)
  most = Math.max(most, process.memoryUsage.rss())
  return { ...answer, turnMs, addedBytes: most - before, otherStatus }
}

/** Problems of the measured request, if any. */
const problemsOf = ({ status, text, turnMs, addedBytes, otherStatus }: Measured): string[] => [
  ...(turnMs > TURN_MS && turnMs > hereMs(TURN_MS) ? [`${Math.round(turnMs)} ms in one piece`] : []),
  ...(addedBytes > MEMORY_BYTES ? [`${Math.round(addedBytes / 1_048_576)} MB`] : []),
  ...(status >= 500 ? [`${status} ${text.slice(0, 200)}`] : []),
  ...(otherStatus === 200 ? [] : [`another organization was answered ${otherStatus}`]),
]

const problemsWithin = async (send: () => Promise<{ status: number; text: string }>): Promise<string[]> => {
  let problems = ['was not sent']
  for (let attempt = 0; attempt < ATTEMPTS && problems.length > 0; attempt++) problems = problemsOf(await measure(send))
  return problems
}

const writes = () =>
  mountedRoutes(app).filter(
    (route) => route.endpoint.doors[0] === route.door && isWrite(route) && route.endpoint.body && !takesBytes(route),
  )
const limitOf = ({ requirement, door, endpoint }: Mounted) =>
  requirement === 'public' || door === 'auth' ? PUBLIC_BODY_LIMIT : (endpoint.bodyLimits?.bytes ?? BODY_LIMIT)
const rulesOf = ({ description: _, examples: __, ...rules }: JsonSchema): string => JSON.stringify(rules)
const wanted = (growth: Growth, shape: Shape) => ({ growth, shape, idOf: anyId(tenants.own) })

const sending = (route: Mounted, body: string) => async () => {
  const idOf = anyId(tenants.own)
  const params = Object.entries(paramsOf(route)).flatMap(([name, schema]) => {
    const prefix = idPrefixOf(schema)
    return prefix ? [[name, idOf(prefix)] as const] : []
  })
  const { headers } = route.door === 'key' ? tenants.attackers.key : tenants.attackers.web
  const response = await fetch(app.origin + pathOf(route, Object.fromEntries(params)), {
    method: route.method,
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  return { status: response.status, text: await response.text() }
}

/** Each part of a body once, wherever it has the same name and rules; the whole of each endpoint. */
const parts = () => {
  const seen = new Set<string>()
  return writes().flatMap((route) =>
    largePartsOf(route.endpoint.body as unknown as JsonSchema).flatMap(({ path, schema }) => {
      const key = `${path} ${rulesOf(schema)}`
      if (seen.has(key)) return []
      seen.add(key)
      return [{ route, path, schema }]
    }),
  )
}

test('the largest body that the contract of each endpoint allows costs at most 500 ms without a pause and 200 MB, and another organization is served during it', async () => {
  const findings: string[] = []
  const growths = Object.keys(GROWTHS) as Growth[]
  let sent = 0
  let accepted = 0
  for (const { route, path } of parts()) {
    for (const growth of variantsFor(route.name + path, 3, growths)) {
      for (const shape of ['many', 'long'] as const) {
        const body = largestBody(route, path, limitOf(route), wanted(growth, shape))
        expect(Buffer.byteLength(body), `${route.name} ${path}`).toBeLessThanOrEqual(limitOf(route))
        const problems = await problemsWithin(async () => {
          const answer = await sending(route, body)()
          if (answer.status < 300) accepted++
          return answer
        })
        sent++
        for (const problem of problems)
          findings.push(
            `${route.name} ${path || 'the whole'}, ${growth}, ${shape} (${Buffer.byteLength(body)} bytes): ${problem}`,
          )
      }
    }
  }
  expect(findings).toEqual([])
  expect(sent).toBeGreaterThan(200)
  // Bodies that the schema refuses are not processed.
  expect(accepted).toBeGreaterThan(20)
}, 600_000)

test('the test detects a blocked thread, memory use, a failure, and another organization that is not served', async () => {
  const answer = { status: 201, text: '' }
  const busy = async () => {
    const enoughMs = 3 * hereMs(TURN_MS)
    const before = process.cpuUsage()
    // Asked seldom: asking takes time of the system.
    do for (let i = 0; i < 10_000_000; i++) Math.sqrt(i)
    while (process.cpuUsage(before).user < enoughMs * 1_000)
    return answer
  }
  expect(await problemsWithin(busy)).toEqual([expect.stringMatching(/^\d+ ms in one piece$/)])
  const kept: Buffer[] = []
  const hoarding = async () => {
    kept.push(Buffer.alloc(300 * 1_048_576, 1))
    await new Promise((resolve) => setTimeout(resolve, 50))
    return answer
  }
  expect(problemsOf(await measure(hoarding))).toContainEqual(expect.stringMatching(/^\d+ MB$/))
  expect(await problemsWithin(async () => ({ status: 500, text: 'failed' }))).toEqual(['500 failed'])
  expect(problemsOf({ ...answer, turnMs: 1, addedBytes: 0, otherStatus: 503 })).toEqual([
    'another organization was answered 503',
  ])
})

test('the bodies are as expensive as those of the findings: expressions that compile slowly, variables that grow, parts as large as the limit', async () => {
  const route = writes().find(({ endpoint }) => endpoint.id === 'sendRequest') as Mounted
  const bodyOf = (path: string, growth: Growth) => largestBody(route, path, limitOf(route), wanted(growth, 'long'))
  const { request } = JSON.parse(bodyOf('request.assertions', 'expressions'))
  expect(request.assertions).toHaveLength(50)
  const compiled: RegExp[] = []
  const turnMs = await longestTurn(async () => {
    for (const { operator, value } of request.assertions)
      if (operator === 'matches') compiled.push(new RegExp(value, 'u'))
  })
  expect(compiled).toHaveLength(50)
  // A fast machine needs less than the limit.
  expect(turnMs).toBeGreaterThan(TURN_MS / 4)
  const form = JSON.parse(bodyOf('request.body.fields', 'variables'))
  expect(form.request.body.mode).toBe('form')
  expect(form.request.body.fields.length).toBeGreaterThan(100)
  expect(form.variables.a).toHaveLength(16_000)
  const texts = parts().filter(
    ({ schema: { type, maxLength } }) => [type].flat().includes('string') && maxLength !== undefined,
  )
  expect(texts.length).toBeGreaterThan(10)
  for (const { route: each, path, schema } of texts) {
    const body = largestBody(each, path, limitOf(each), wanted('letters', 'many'))
    expect(Buffer.byteLength(body), `${each.name} ${path}`).toBeGreaterThan(
      0.9 * Math.min(limitOf(each), schema.maxLength as number),
    )
  }
})
