import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStage, type ServerProcess } from '../../support/app/server-process.ts'
import { databaseUrl } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'

const CLIENTS_OF_A_KIND = 3
const DRIP_MS = 5_000
const CLOSED_WITHIN_MS = 75_000
/** Delay of timers on a busy machine. */
const TOLERANCE_MS = 5_000

const WHOLE = 'GET /api/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'
const POST = 'POST /api/auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

/** The first bytes of each client; then it sends one more every few seconds for as long as possible. */
const KINDS: Record<string, { first: string; drop: string }> = {
  'the lines of its head': { first: 'GET / HTTP/1.1\r\n', drop: 'x-a: b\r\n' },
  'the bytes of its body': { first: `${POST}Content-Length: 1000\r\n\r\n{`, drop: ' ' },
  'the chunks of its body': { first: `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, drop: '1\r\n \r\n' },
  'a body after an expectation that is refused': {
    first: `${POST}Content-Length: 1000\r\nExpect: x\r\n\r\n`,
    drop: ' ',
  },
  'bytes after CONNECT': { first: 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n', drop: 'a' },
  'blank lines between two requests': { first: WHOLE, drop: '\r\n' },
}

const stage = createStage()
let server: ServerProcess
beforeAll(async () => {
  server = await stage.server({ env: { DATABASE_URL: databaseUrl(await copyTemplate()) } })
  await server.ready()
})
afterAll(() => stage.close())

/**
 * A client that never closes its side, and whether the server has ended the connection: a half-closed one still counts.
 */
const drip = ({ first, drop }: { first: string; drop: string }) => {
  const socket = net.connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  socket.resume()
  socket.write(first)
  const timer = setInterval(() => socket.write(drop), DRIP_MS)
  socket.once('close', () => clearInterval(timer))
  return socket
}

test(
  'S35: six kinds of clients that drip are closed within 75 s, and others are served during that time',
  { timeout: 120_000 },
  async () => {
    const startedAt = performance.now()
    const clients = Object.entries(KINDS).flatMap(([name, kind]) =>
      Array.from({ length: CLIENTS_OF_A_KIND }, () => ({ name, socket: drip(kind) })),
    )
    const open = () => clients.filter(({ socket }) => !socket.closed).map(({ name }) => name)
    while (open().length > 0 && performance.now() - startedAt < CLOSED_WITHIN_MS + TOLERANCE_MS) {
      expect(await server.health()).toBe(200)
      await sleep(1_000)
    }
    const left = open()
    for (const { socket } of clients) socket.destroy()
    expect(left).toEqual([])
  },
)
