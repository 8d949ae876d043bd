import { createHash, createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { freePort } from '../app/server-process.ts'
import type { TestApp } from '../app/test-app.ts'
import type { WorkosEvent } from './workos-events.ts'

export const CLIENT_ID = 'client_01HXYZ123456789ABCDEFGHIJ'
export const API_KEY = 'sk_test_of_the_counterpart'
export const WEBHOOK_SECRET = 'whsec_of_the_counterpart'

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: object
}

interface Operation {
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: object } } }
  responses: Record<string, { content?: { 'application/json': { schema: object } } }>
}

interface Description {
  paths: Record<string, Record<string, Operation>>
  components: object
}

export interface WorkosUser {
  id: string
  email: string
  email_verified: unknown
  first_name: string | null
  last_name: string | null
  last_sign_in_at: string | null
}

interface Answer {
  status: number
  body?: object
  location?: string
}

/**
 * The part of WorkOS that this server uses, on a loopback port. Every request and every answer is checked against the
 * published description of the API; violations are in `problems`.
 */
export class WorkosCounterpart {
  readonly users = new Map<string, WorkosUser>()
  readonly events: WorkosEvent[] = []
  readonly endedSessions: string[] = []
  readonly problems: string[] = []
  /** Set while an operator impersonates the person. */
  impersonator: { email: string; reason: string | null } | undefined
  readonly #codes = new Map<string, { userId: string; challenge: string }>()
  readonly #description = readDescription()
  // Formats are up to WorkOS; unknown keywords of the description are its examples.
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false })
  readonly #validators = new Map<string, ValidateFunction>()
  readonly #server: Server
  #port = 0

  constructor() {
    this.#ajv.addSchema({ $id: 'workos', components: this.#description.components })
    this.#server = createServer((request, response) => {
      const answered = this.#answer(request).catch((error: unknown) => this.#problem(String(error)))
      void answered.then(({ status, body, location }) => {
        response.writeHead(status, { 'content-type': 'application/json', ...(location !== undefined && { location }) })
        response.end(body && JSON.stringify(body))
      })
    })
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Settings of a server that uses this provider. */
  get settings(): Record<string, string> {
    return {
      AUTH_PROVIDER: 'workos',
      WORKOS_API_KEY: API_KEY,
      WORKOS_CLIENT_ID: CLIENT_ID,
      WORKOS_WEBHOOK_SECRET: WEBHOOK_SECRET,
      WORKOS_API_URL: this.origin,
    }
  }

  async up(): Promise<void> {
    // The largest takes seconds to compile on a busy machine: more than the server's timeout.
    for (const name of ['EventSchema', 'EventList']) this.#validatorOf({ $ref: `#/components/schemas/${name}` })
    this.#port ||= await freePort()
    await new Promise<void>((resolve) => {
      this.#server.listen(this.#port, '127.0.0.1', resolve)
    })
  }

  async down(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
    })
  }

  addUser(user: Partial<WorkosUser> & { id: string }): WorkosUser {
    const whole = {
      email: `${user.id}@example.com`,
      email_verified: true,
      first_name: 'Ada',
      last_name: user.id,
      last_sign_in_at: null,
      ...user,
    }
    this.users.set(whole.id, whole)
    return whole
  }

  /** Signs a person in there. @returns the address that they are redirected to */
  async signIn(url: string, userId: string): Promise<URL> {
    const response = await fetch(`${url}&login_hint=${encodeURIComponent(userId)}`, { redirect: 'manual' })
    const location = response.headers.get('location')
    if (!location) throw new Error(`WorkOS stays: ${response.status} ${await response.text()}`)
    return new URL(location)
  }

  /** Sends an event to the webhook, signed now. */
  deliver(app: TestApp, event: WorkosEvent) {
    this.#check(event.event, { $ref: '#/components/schemas/EventSchema' }, event)
    const body = JSON.stringify(event)
    return post(app, body, signature(app, body))
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? '/', this.origin)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = url.pathname.replace(/^\/sso\/jwks\/[^/]+$/, '/sso/jwks/{clientId}')
    const operation = this.#description.paths[path]?.[(request.method ?? '').toLowerCase()]
    if (!operation) return this.#problem(`${request.method} ${path} is not described`)
    this.#checkQuery(path, operation, url.searchParams)
    const body = chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>) : {}
    if (operation.requestBody)
      this.#check(`${path}: request`, operation.requestBody.content['application/json'].schema, body)
    const answer = this.#handle(path, url, body, request.headers.authorization)
    const described = operation.responses[String(answer.status)]
    if (!described) return this.#problem(`${path}: no answer ${answer.status} is described`)
    const schema = described.content?.['application/json'].schema
    if (schema && answer.body) this.#check(`${path}: answer ${answer.status}`, schema, answer.body)
    return answer
  }

  #handle(path: string, url: URL, body: Record<string, string>, authorization: string | undefined): Answer {
    const query = url.searchParams
    if (path === '/user_management/authorize') return this.#authorize(query)
    if (path === '/user_management/authenticate') return this.#authenticate(body)
    if (path === '/user_management/sessions/logout') {
      this.endedSessions.push(query.get('session_id') ?? '')
      return { status: 302, location: query.get('return_to') ?? '' }
    }
    if (path === '/events') {
      if (authorization !== `Bearer ${API_KEY}`)
        return this.#problem('the list of events was asked for without the API key')
      return { status: 200, body: this.#list(query) }
    }
    const key = {
      alg: 'RS256',
      kty: 'RSA',
      use: 'sig',
      x5c: ['MIID'],
      n: '0vx7',
      e: 'AQAB',
      kid: 'key',
      'x5t#S256': 'NjQ',
    }
    return { status: 200, body: { keys: [key] } }
  }

  #authorize(query: URLSearchParams): Answer {
    if (query.get('client_id') !== CLIENT_ID || query.get('code_challenge_method') !== 'S256')
      return this.#problem('authorize: wrong client, or no PKCE')
    const code = randomUUID()
    this.#codes.set(code, { userId: query.get('login_hint') ?? '', challenge: query.get('code_challenge') ?? '' })
    const back = new URL(query.get('redirect_uri') as string)
    back.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString()
    const user = this.users.get(query.get('login_hint') ?? '')
    if (user) user.last_sign_in_at = new Date().toISOString()
    return { status: 302, location: back.toString() }
  }

  #authenticate({
    client_id: clientId,
    client_secret: clientSecret,
    code = '',
    code_verifier: verifier = '',
  }: Record<string, string>): Answer {
    if (clientId !== CLIENT_ID || clientSecret !== API_KEY) return this.#problem('authenticate: wrong credentials')
    const asked = this.#codes.get(code)
    this.#codes.delete(code)
    const user = asked && this.users.get(asked.userId)
    const isProved = asked && createHash('sha256').update(verifier).digest('base64url') === asked.challenge
    if (!user || !isProved) {
      return {
        status: 400,
        body: { error: 'invalid_grant', error_description: `The code '${code}' has expired or is invalid.` },
      }
    }
    const now = new Date().toISOString()
    const claims = Buffer.from(JSON.stringify({ sid: `session_${code}`, sub: user.id })).toString('base64url')
    return {
      status: 200,
      body: {
        user: {
          object: 'user',
          profile_picture_url: null,
          external_id: null,
          created_at: now,
          updated_at: now,
          ...user,
        },
        access_token: `eyJhbGciOiJSUzI1NiJ9.${claims}.c2lnbmF0dXJl`,
        refresh_token: randomUUID(),
        authentication_method: 'SSO',
        ...(this.impersonator && { impersonator: this.impersonator }),
      },
    }
  }

  #list(query: URLSearchParams): object {
    const types = (query.get('events') ?? '').split(',')
    const from = query.get('range_start') ?? ''
    const first = query.has('after') ? this.events.findIndex(({ id }) => id === query.get('after')) + 1 : 0
    const all = this.events.slice(first).filter(({ event, created_at }) => types.includes(event) && created_at >= from)
    const page = all.slice(0, Number(query.get('limit') ?? 10))
    return {
      object: 'list',
      data: page,
      list_metadata: { after: all.length > page.length ? (page.at(-1)?.id ?? null) : null },
    }
  }

  #checkQuery(path: string, operation: Operation, query: URLSearchParams): void {
    const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
    for (const { name, required } of described)
      if (required && !query.has(name)) this.problems.push(`${path}: ${name} is missing`)
    for (const [name, value] of query) {
      const parameter = described.find((candidate) => candidate.name === name)
      if (!parameter) this.problems.push(`${path}: ${name} is not described`)
      else this.#check(`${path}: ${name}`, parameter.schema, typedAs(parameter.schema, value))
    }
  }

  #check(what: string, schema: object, value: unknown): void {
    const validate = this.#validatorOf(schema)
    if (!validate(value)) this.problems.push(`${what}: ${this.#ajv.errorsText(validate.errors)}`)
  }

  #validatorOf(schema: object): ValidateFunction {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"workos#/components/')
    const validate = this.#validators.get(text) ?? this.#ajv.compile(JSON.parse(text) as object)
    this.#validators.set(text, validate)
    return validate
  }

  #problem(text: string): Answer {
    this.problems.push(text)
    return { status: 400, body: { code: 'problem', message: text } }
  }
}

const readDescription = (): Description =>
  parse(readFileSync(fileURLToPath(import.meta.resolve('@workos/openapi-spec/spec')), 'utf8')) as Description

/** A value of a query as the description types it. */
const typedAs = (schema: { type?: string }, value: string): unknown => {
  if (schema.type === 'array') return value.split(',')
  return schema.type === 'integer' ? Number(value) : value
}

/** The signature scheme of the webhook, implemented without the library. */
export const hmac = (secret: string, timeMs: number | string, body: string): string =>
  createHmac('sha256', secret).update(`${timeMs}.${body}`).digest('hex')

/**
 * The header of the webhook for a body that is signed now. The clock is read once: two readings may differ by a
 * millisecond.
 */
export const signature = (app: TestApp, body: string): string => {
  const now = app.clock.now()
  return `t=${now}, v1=${hmac(WEBHOOK_SECRET, now, body)}`
}

/** Posts a body to the webhook with this header. */
export const post = (app: TestApp, body: string, header: string | undefined) =>
  app.anonymous.request('POST', '/api/workos/webhook', {
    rawBody: body,
    headers: { 'content-type': 'application/json', ...(header !== undefined && { 'workos-signature': header }) },
  })
