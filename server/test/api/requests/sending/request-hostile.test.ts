import { createSecureServer, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { certificate } from '../../../support/network/tls-side.ts'
import { listening, type Receiver, startRawReceiver } from '../../../support/races/receiver.ts'

const MiB = 1024 * 1024
const TOO_LONG = 'the body has more than 104857600 bytes'
let app: TestApp
let key: TestClient
let engagementId: string
let raw: Receiver
let h2: Receiver

/** Writes the same bytes until the client stops reading. */
const flood = async (socket: Socket, chunk: Buffer | string): Promise<void> => {
  while (!socket.destroyed) {
    if (socket.write(chunk)) await turn()
    else await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve))
  }
}

const OK = 'HTTP/1.1 200 OK\r\n'
const coded = (encoding: string, body: Buffer) => [
  `${OK}content-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`,
  body,
]
const quick = { params: { [zlib.BROTLI_PARAM_QUALITY]: 1 } }
const zeros = Buffer.alloc(101 * MiB)

/** The response for each path. */
const ANSWERS: Record<string, (socket: Socket) => unknown> = {
  '/reset-before': (socket) => socket.resetAndDestroy(),
  '/reset-in-headers': (socket) => socket.write(`${OK}x-a: 1\r\n`, () => socket.resetAndDestroy()),
  '/reset-in-body': (socket) =>
    socket.write(`${OK}content-length: 100\r\n\r\nhalf`, () => setTimeout(() => socket.resetAndDestroy(), 50)),
  '/closed-in-chunks': (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`),
  '/closed-at-once': (socket) => socket.end(),
  '/bad-chunk': (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`),
  '/two-lengths': (socket) => socket.end(`${OK}content-length: 5\r\ncontent-length: 6\r\n\r\nhello!`),
  '/length-and-chunks': (socket) =>
    socket.end(`${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
  '/ssh': (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
  '/binary': (socket) => socket.end(Buffer.from([0x16, 3, 1, 0, 2, 1, 0, 0xff, 0, 0])),
  '/switched': (socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nmore'),
  '/one-header': (socket) => socket.end(`${OK}x: ${'a'.repeat(MiB)}\r\n\r\n`),
  '/many-headers': (socket) => socket.end(`${OK}${'x: a\r\n'.repeat(200_000)}\r\n`),
  '/headers-for-ever': (socket) => (socket.write(OK), flood(socket, 'x-more: and more\r\n')),
  '/early-hints': (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
  '/trailers': (socket) => (
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`),
    flood(socket, 'x-more: and more\r\n')
  ),
  '/endless': (socket) => (socket.write(`${OK}\r\n`), flood(socket, Buffer.alloc(MiB, 'a'))),
  '/endless-chunks': (socket) => (
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`),
    flood(socket, '10\r\n0123456789abcdef\r\n'.repeat(10_000))
  ),
  '/endless-gzip': (socket) => (
    socket.write(`${OK}content-encoding: gzip\r\n\r\n`),
    flood(socket, gzipSync(Buffer.alloc(MiB)))
  ),
  '/gzip-bomb': (socket) => coded('gzip', gzipSync(zeros)).map((part) => socket.write(part)),
  '/br-bomb': (socket) => coded('br', brotliCompressSync(zeros, quick)).map((part) => socket.write(part)),
  '/double-bomb': (socket) =>
    coded('gzip, br', brotliCompressSync(gzipSync(zeros), quick)).map((part) => socket.write(part)),
  '/three-codings': (socket) => coded('gzip, gzip, gzip', gzipSync('x')).map((part) => socket.write(part)),
  '/thousand-codings': (socket) =>
    coded(Array.from({ length: 1_000 }, () => 'br').join(','), gzipSync('x')).map((part) => socket.write(part)),
  '/no-gzip': (socket) => coded('gzip', Buffer.from('this is plain')).map((part) => socket.write(part)),
  '/half-gzip': (socket) =>
    coded('gzip', gzipSync('whole and sound').subarray(0, 20)).map((part) => socket.write(part)),
  '/silent': () => undefined,
  '/slow-headers': (socket) => (socket.write(OK), drip(socket, 'x-a: 1\r\n')),
  '/slow-body': (socket) => (socket.write(`${OK}content-length: 100000\r\n\r\n`), drip(socket, 'a')),
}

const drip = (socket: Socket, text: string): void => {
  const timer = setInterval(() => socket.write(text), 20)
  socket.once('close', () => clearInterval(timer))
}

/** The HTTP/2 responses. */
const H2_ANSWERS: Record<string, (stream: ServerHttp2Stream) => unknown> = {
  '/reset': (stream) => (
    stream.respond({ ':status': 200 }),
    stream.write('half', () => stream.destroy(new Error('reset')))
  ),
  '/gone': (stream) => stream.session?.destroy(),
  '/endless': (stream) => {
    stream.respond({ ':status': 200 })
    const chunk = Buffer.alloc(MiB)
    const write = () => {
      if (!stream.destroyed) stream.write(chunk, write)
    }
    write()
  },
  '/silent': () => undefined,
}

beforeAll(async () => {
  raw = await startRawReceiver((socket, data) => {
    const path = data.split(' ', 2)[1] ?? ''
    void ANSWERS[path]?.(socket)
  })
  const secure = createSecureServer(certificate('self-signed'))
  secure.on('sessionError', () => undefined)
  secure.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    H2_ANSWERS[headers[':path'] ?? '']?.(stream)
  })
  h2 = await listening(secure, [], 'https')
  const allowed = [raw, h2].map(({ port }) => `127.0.0.1:${port}`).join(',')
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: allowed, RUN_BODY_LIMIT_BYTES: '1000' } })
  key = await app.withKey(['api-requests:read', 'api-requests:write'])
  engagementId = (await (await app.signedIn('owner')).post('/api/web/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(async () => {
  await app.close()
  await Promise.all([raw, h2].map((side) => side.close()))
})

const run = async (url: string, options: object = {}) => {
  const request = { url, options: { timeoutMs: 20_000, verifyTls: false, ...options } }
  const response = await key.post('/api/v1/api-requests/send', { engagementId, request })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}

const CLOSED = 'the server closed the connection before the response was complete'

describe('X7: a malicious server', () => {
  test.each([
    ['/reset-before', 'the connection was reset'],
    ['/reset-in-headers', 'the connection was reset'],
    ['/reset-in-body', 'the connection was reset'],
    ['/closed-in-chunks', CLOSED],
    ['/closed-at-once', CLOSED],
    ['/bad-chunk', 'the response is not valid HTTP'],
    ['/two-lengths', 'the response is not as long as its headers state'],
    ['/length-and-chunks', 'the response is not as long as its headers state'],
    ['/ssh', 'the response is not valid HTTP'],
    ['/binary', 'the response is not valid HTTP'],
    ['/switched', 'the server switched to another protocol'],
    ['/one-header', 'the headers of the response are too large'],
    ['/many-headers', 'the headers of the response are too large'],
    ['/headers-for-ever', 'the headers of the response are too large'],
    ['/early-hints', 'more than 100 interim responses (1xx)'],
    ['/trailers', 'the headers of the response are too large'],
    ['/endless', TOO_LONG],
    ['/endless-chunks', TOO_LONG],
    ['/endless-gzip', TOO_LONG],
    ['/gzip-bomb', TOO_LONG],
    ['/br-bomb', TOO_LONG],
    ['/double-bomb', TOO_LONG],
    ['/three-codings', 'the body has more than 2 content codings'],
    ['/thousand-codings', 'the body has more than 2 content codings'],
    ['/no-gzip', 'the body is not valid gzip'],
    ['/half-gzip', 'the body is not valid gzip'],
  ])('%s makes a failed run with the reason', async (path, reason) => {
    expect(await run(`${raw.origin}${path}`)).toMatchObject({ state: 'failed', reason, response: null })
  })

  test.each(['/silent', '/slow-headers', '/slow-body'])('%s is ended at the timeout of the request', async (path) => {
    expect(await run(`${raw.origin}${path}`, { timeoutMs: 300 })).toMatchObject({
      state: 'failed',
      reason: 'it took longer than 300 ms',
      response: null,
    })
  })

  test.each([
    ['/reset', 'the server reset the stream'],
    ['/gone', CLOSED],
    ['/endless', TOO_LONG],
  ])('%s in HTTP/2 makes a failed run', async (path, reason) => {
    expect(await run(`${h2.origin}${path}`)).toMatchObject({ state: 'failed', reason, response: null })
  })

  test('/silent in HTTP/2 is ended at the timeout of the request', async () => {
    expect(await run(`${h2.origin}/silent`, { timeoutMs: 300 })).toMatchObject({
      state: 'failed',
      reason: 'it took longer than 300 ms',
    })
  })

  test('that does not speak TLS makes a failed run, and no log blames the Sortie server', async () => {
    const made = await run(raw.origin.replace('http:', 'https:'), { timeoutMs: 1_000 })
    expect(made.state).toBe('failed')
    expect(app.logLines.filter((line) => line.includes('could not be executed'))).toEqual([])
  })

  test('uses memory only for the stored part of a response', async () => {
    const before = process.memoryUsage().rss
    await run(`${raw.origin}/double-bomb`)
    expect((process.memoryUsage().rss - before) / MiB).toBeLessThan(100)
  })
})
