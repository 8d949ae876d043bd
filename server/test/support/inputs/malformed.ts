import { randomBytes, randomInt } from 'node:crypto'
import net from 'node:net'
import { ERROR_STATUS, type ErrorCode } from '@sortie/contract/core/errors.ts'
import type { TestApp } from '../app/test-app.ts'
import { bodyOf, type Mounted, mountedRoutes, pathOf } from '../walks/walk.ts'

const pick = <T>(values: readonly T[]): T => values[randomInt(values.length)] as T

const NASTY = [
  null,
  true,
  -1,
  0,
  1e308,
  2 ** 60,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  'x'.repeat(20_000),
  "' or 1=1 --",
  '$where',
  '../../etc/passwd',
  '<script>',
  [],
  [[]],
  {},
  { $gt: '' },
  '2026-02-30T00:00:00.000Z',
  'usr_0',
]
const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  'role',
  'organizationId',
  'name',
  'email',
  'isOwner',
  '',
  'a.b',
  '\u0000',
]
const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  '',
  'application/json\t',
  'Application/JSON',
  'application/jsonx',
  '*/*',
]

/** A malformed request to a random route, as bytes for a persistent connection. */
const malformedRequest = (routes: readonly Mounted[], authorizations: readonly string[]): Buffer => {
  const route = pick(routes)
  const method = randomInt(12) === 0 ? pick(['PUT', 'OPTIONS', 'PATCH', 'DELETE', 'POST']) : route.method
  const path = pathOf(
    route,
    Object.fromEntries(
      Object.keys(route.endpoint.params.properties).map((name) => [
        name,
        pick(['x', '%00', '%ff', '..', '%2e%2e', '0'.repeat(600), '%F0%9F%98%80']),
      ]),
    ),
  )
  const query =
    randomInt(2) === 0
      ? ''
      : `?${pick(['page', 'perPage', 'role', 'sort', 'cursor', 'from', '__proto__', '%00'])}=${pick(['0', '-1', '%00', '%ff', '1e9', 'x'.repeat(500), '%ED%A0%80', '', 'a&a=b'])}`
  const body = method === 'GET' ? Buffer.alloc(0) : brokenBody(bodyOf(route))
  const head = [
    `${method} ${path}${query} HTTP/1.1`,
    'Host: localhost',
    pick(authorizations),
    body.length > 0 ? `Content-Type: ${randomInt(6) === 0 ? pick(CONTENT_TYPES) : 'application/json'}` : '',
    method === 'GET' ? '' : `Content-Length: ${body.length}`,
    randomInt(10) === 0
      ? `${pick(['X-Organization', 'Origin', 'Content-Encoding', 'X-Forwarded-For'])}: ${pick(['null', '*', 'gzip', '1.2.3.4', "'"])}`
      : '',
  ].filter(Boolean)
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
}

const brokenBody = (valid: unknown): Buffer => {
  const text = JSON.stringify(valid ?? {})
  switch (randomInt(8)) {
    case 0:
      return Buffer.from(text.slice(0, randomInt(text.length + 1)))
    case 1:
      return randomBytes(randomInt(64))
    case 2:
      return Buffer.from('['.repeat(randomInt(1, 6_000)))
    case 3:
      return Buffer.from(JSON.stringify(pick(NASTY)))
    case 4:
      return Buffer.from(
        text.replace('{', `{"${pick(['name', 'role', 'email', 'x'])}":${JSON.stringify(pick(NASTY))},`),
      )
    case 5:
      return Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from(text)])
    default:
      return Buffer.from(
        JSON.stringify({
          ...(valid as object),
          [pick([...KEYS, ...Object.keys((valid as object) ?? {})])]: pick(NASTY),
        }),
      )
  }
}

export interface Tally {
  sent: number
  statuses: Map<number, number>
  /** Answers that are not as specified, as text. */
  wrong: string[]
}

/** Sends this number of malformed requests over a few persistent connections, and checks every answer. */
export const sendMalformed = async (
  app: TestApp,
  authorizations: readonly string[],
  requests: number,
): Promise<Tally> => {
  const tally: Tally = { sent: 0, statuses: new Map(), wrong: [] }
  // A valid request for a stream of events ends only with its reader.
  const routes = mountedRoutes(app).filter(({ endpoint }) => endpoint.produces !== 'events')
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (tally.sent < requests)
        await oneConnection(
          app.origin,
          () => malformedRequest(routes, authorizations),
          tally,
          Math.min(500, requests - tally.sent),
        )
    }),
  )
  return tally
}

const BATCH = 20

const oneConnection = (origin: string, make: () => Buffer, tally: Tally, requests: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    const socket = net.connect(Number(port), hostname)
    let left = requests
    let awaited = 0
    let buffered: Buffer = Buffer.alloc(0)
    const next = () => {
      if (left <= 0) return void socket.end()
      awaited = Math.min(BATCH, left)
      left -= awaited
      tally.sent += awaited
      socket.write(Buffer.concat(Array.from({ length: awaited }, make)))
    }
    socket.on('connect', next)
    socket.on('data', (chunk) => {
      buffered = Buffer.concat([buffered, chunk])
      for (let response = parseResponse(buffered); response; response = parseResponse(buffered)) {
        buffered = response.rest
        judge(tally, response.status, response.body)
        if (--awaited === 0) next()
      }
    })
    socket.on('close', () => resolve())
    socket.on('error', reject)
  })

const parseResponse = (bytes: Buffer): { status: number; body: string; rest: Buffer } | undefined => {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = bytes.subarray(0, end).toString('latin1')
  if (/\r\ntransfer-encoding: chunked/i.test(head)) {
    const last = bytes.indexOf('0\r\n\r\n', end + 4)
    return last < 0 ? undefined : { status: Number(head.slice(9, 12)), body: '', rest: bytes.subarray(last + 5) }
  }
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (bytes.length < end + 4 + length) return undefined
  return {
    status: Number(head.slice(9, 12)),
    body: bytes.subarray(end + 4, end + 4 + length).toString('utf8'),
    rest: bytes.subarray(end + 4 + length),
  }
}

const judge = (tally: Tally, status: number, body: string): void => {
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
  if (status < 400) return
  if (!body.startsWith('{')) return void tally.wrong.push(`${status} without a JSON body: ${body}`)
  const { error, ...rest } = JSON.parse(body)
  const shaped =
    Object.keys(rest).length === 0 &&
    Object.keys(error).sort().join() === 'code,message,statusCode' &&
    error.statusCode === status
  if (!shaped || status >= 500 || ERROR_STATUS[error.code as ErrorCode] !== status)
    tally.wrong.push(`${status} ${body}`)
}
