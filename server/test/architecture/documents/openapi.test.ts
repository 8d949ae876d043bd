import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { ENDPOINTS } from '@sortie/contract/core/contract.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { referencesIn } from '../../../src/platform/http/openapi/openapi.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestResponse } from '../../support/app/test-client.ts'
import { checkAgainstDocument, DOCUMENT, errorsOf, validatorAt } from '../../support/document/check-document.ts'

interface Shown {
  example?: unknown
  examples?: Record<string, { value: ErrorBody }>
}
/** By media type; that of a file is not JSON. */
type Answer = { $ref?: string; content: Record<string, Shown> }
interface ErrorBody {
  error: { code: string; message: string; statusCode: number }
}

const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    method,
    operation,
  })),
)
const CONTRACT_OPERATIONS = OPERATIONS.filter(({ operation }) => operation['x-scope'] !== undefined)

const answerOf = (answer: unknown): Answer => {
  const { $ref } = answer as Answer
  return $ref ? (DOCUMENT.components['responses']?.[$ref.split('/').at(-1) as string] as Answer) : (answer as Answer)
}

const documentedErrors = (path: string, method: string, status: number): ErrorBody[] => {
  const operation = DOCUMENT.paths[path]?.[method]
  return Object.values(answerOf(operation?.responses[status]).content['application/json']?.examples ?? {}).map(
    ({ value }) => value,
  )
}

describe('the OpenAPI document', () => {
  test('describes exactly the endpoints that a key opens', () => {
    const wanted = ENDPOINTS.filter((endpoint) => endpoint.doors.includes('key')).map(({ id }) => id)
    expect(CONTRACT_OPERATIONS.map(({ operation }) => operation.operationId).sort()).toEqual(wanted.sort())
    expect(wanted.length).toBeGreaterThan(8)
  })

  test('passes the linter without a warning', () => {
    const linter = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
    const args = [linter, 'lint', 'docs/openapi.json', '--config', 'redocly.yaml', '--format', 'json']
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
    const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { totals: object; problems: unknown[] }
    expect(report.problems, stderr).toEqual([])
    expect(report.totals).toMatchObject({ errors: 0, warnings: 0 })
  })

  test.each(OPERATIONS)('$name has an example of each body, and each is valid', ({ path, method, operation }) => {
    const bodies = [
      ...(operation['requestBody'] ? [{ at: ['requestBody'], body: operation['requestBody'] as Answer }] : []),
      ...Object.entries(operation.responses)
        .filter(([status, answer]) => !('$ref' in answer) && status !== '204')
        .map(([status, answer]) => ({ at: ['responses', status], body: answer as unknown as Answer })),
    ]
    for (const { at, body } of bodies) {
      const json = body.content['application/json']
      if (!json) {
        const text = ['text/csv', 'text/html', 'text/event-stream'].find((each) => each in body.content)
        if (text !== undefined) {
          expect(body.content).toHaveProperty([text, 'schema', 'type'], 'string')
          continue
        }
        const type = 'application/zip' in body.content ? 'application/zip' : 'application/octet-stream'
        expect(body.content).toHaveProperty([type, 'schema', 'format'], 'binary')
        continue
      }
      const { example, examples = {} } = json
      const shown = [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)]
      expect(shown.length, at.join(' ')).toBeGreaterThan(0)
      const validate = validatorAt('paths', path, method, ...at, 'content', 'application/json', 'schema')
      for (const value of shown) expect(validate(value), `${at.join(' ')}: ${errorsOf(validate)}`).toBe(true)
    }
  })

  test.each(CONTRACT_OPERATIONS)(
    '$name declares 400, 401, 422 unless it takes a file, 429, 500 and 503, each example with its own status',
    ({ path, method, operation }) => {
      const takesFile = 'application/octet-stream' in ((operation['requestBody'] as Answer | undefined)?.content ?? {})
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(['400', '401', '429', '500', '503', ...(takesFile ? [] : ['422'])]),
      )
      for (const status of Object.keys(operation.responses).filter((code) => Number(code) >= 400)) {
        for (const { error } of documentedErrors(path, method, Number(status)))
          expect(error.statusCode).toBe(Number(status))
      }
    },
  )

  test('refers only to open points that it lists, and each operation lists those that its texts name', () => {
    const listed = DOCUMENT['x-decisions'].map(({ openPoint }) => openPoint)
    expect(listed).toEqual(expect.arrayContaining(referencesIn(DOCUMENT)))
    const { operation } = CONTRACT_OPERATIONS.find(
      ({ operation }) => operation.operationId === 'listEngagements',
    ) as (typeof OPERATIONS)[number]
    expect(operation['x-decisions']).toEqual([4, 5])
  })
})

describe('the running server', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await testApp({
      env: {
        ENGAGEMENT_READ_SCOPE: '*',
        ENGAGEMENT_WRITE_SCOPE: 'tasks:write',
        RATE_LIMIT_MAX: '600',
        RATE_LIMIT_ANONYMOUS_MAX: '77',
      },
    })
  })
  afterAll(() => app.close())

  test('serves the document without a key, counted as anonymous, with the scopes that the operator chose', async () => {
    const { status, headers, body } = await app.anonymous.get('/api/v1/openapi.json')
    expect(status).toBe(200)
    expect(headers.get('x-ratelimit-limit')).toBe('77')
    const { get, post } = body.paths['/api/v1/engagements']
    expect(get).toMatchObject({ 'x-scope': '*', 'x-scope-setting': 'ENGAGEMENT_READ_SCOPE' })
    expect(get.responses).not.toHaveProperty('403')
    expect(post).toMatchObject({ 'x-scope': 'tasks:write', 'x-scope-setting': 'ENGAGEMENT_WRITE_SCOPE' })
    const { paths: _, ...rest } = body
    const { paths: __, ...expected } = DOCUMENT
    expect(rest).toEqual(expected)
  })

  test('refuses with the messages of the document', async () => {
    const path = '/api/v1/organizations/current/members/{userId}'
    const url = path.replace('{userId}', 'usr_00000000000000000000000000')
    const reader = await app.withKey(['organizations:read'])
    const writer = await app.withKey(['organizations:write'])
    const owner = path.replace('{userId}', app.organization.owner.id)
    const answers = [
      await app.anonymous.patch(url, { role: 'admin' }),
      await app.anonymous.with({ authorization: 'Bearer svc_live_nothing' }).patch(url, { role: 'admin' }),
      await reader.patch(url, { role: 'admin' }),
      await writer.patch(`${url}?surprise=1`, { role: 'admin' }),
      await writer.patch(url, { role: 'other' }),
      await writer.patch(owner, { role: 'admin' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 403, 400, 422, 409])
    for (const { status, body } of answers) expect(documentedErrors(path, 'patch', status)).toContainEqual(body)
  })
})

describe('the check of every answer in every test', () => {
  const headers = new Headers({
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': '1',
    'x-ratelimit-limit': '1',
    'x-ratelimit-remaining': '1',
    'x-ratelimit-reset': '1',
  })
  const answer = (status: number, body: unknown): TestResponse => ({ status, headers, body, text: '' })
  const conflict = { error: { code: 'CONFLICT', message: 'no', statusCode: 409 } }

  test('rejects a status that the document does not declare for the operation', () => {
    const check = (method: string) => () =>
      checkAgainstDocument(method, '/api/v1/organizations/current/members/usr_1', answer(409, conflict), '')
    expect(check('DELETE')).not.toThrow()
    expect(() => checkAgainstDocument('GET', '/api/v1/organizations/current', answer(409, conflict), '')).toThrow(
      /declares only/,
    )
  })

  test('rejects an extra field, a missing field, a missing header and an undeclared operation', () => {
    const path = '/api/v1/organizations/current/members/usr_1'
    const removed = { removed: true, userId: 'usr_00000000000000000000000000' }
    expect(() => checkAgainstDocument('DELETE', path, answer(200, { data: removed }), '')).not.toThrow()
    expect(() => checkAgainstDocument('DELETE', path, answer(200, { data: { ...removed, more: 1 } }), '')).toThrow(
      /additional/,
    )
    expect(() => checkAgainstDocument('DELETE', path, answer(200, { data: { removed: true } }), '')).toThrow(/userId/)
    expect(() =>
      checkAgainstDocument(
        'DELETE',
        path,
        { ...answer(200, { data: removed }), headers: new Headers({ 'content-type': 'application/json' }) },
        '',
      ),
    ).toThrow(/X-RateLimit-Limit/)
    expect(() => checkAgainstDocument('PUT', path, answer(200, {}), '')).toThrow(/no such operation/)
  })
})
