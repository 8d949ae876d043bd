import { once } from 'node:events'
import net from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createMetricsListener, type MetricsListener } from '../../../src/platform/http/server/metrics-listener.ts'
import { createLogger } from '../../../src/platform/log.ts'
import { createMetrics, type Metrics } from '../../../src/platform/metrics.ts'
import { freePort } from '../../support/app/server-process.ts'
import { rawRequest, sendRaw } from '../../support/network/raw-http.ts'

const TOKEN = 'a-token-of-this-test-that-is-long-enough'
const METRICS = createMetrics(
  () => ({ total: 0, idle: 0, waiting: 0 }),
  () => 0,
  { isLive: async () => true, countLeftFiles: async () => 0 },
)

const open: MetricsListener[] = []
afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close()
})

interface Options {
  token?: string
  deadlineMs?: number
  metrics?: Pick<Metrics, 'render'>
}

const create = ({ token, deadlineMs, metrics = METRICS }: Options = {}) => {
  const logLines: string[] = []
  const log = createLogger('trace', { write: (line) => void logLines.push(line) })
  const config = { FRONTEND_URL: 'http://localhost:3001', METRICS_TOKEN: token }
  const listener = createMetricsListener({ config, metrics, log, ...(deadlineMs !== undefined && { deadlineMs }) })
  open.push(listener)
  return { listener, logLines }
}

const start = async (options: Options = {}) => {
  const port = await freePort()
  const created = create(options)
  await created.listener.listen(port)
  return { ...created, port, origin: `http://127.0.0.1:${port}` }
}

const connect = async (port: number) => {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}
/** Also by a reset. */
const closed = (socket: net.Socket) =>
  new Promise<void>((resolve) => {
    if (socket.destroyed) resolve()
    else socket.resume().once('close', () => resolve())
  })

/** More bytes than the buffers of both sides. */
const LARGE = 50_000_000
/** The kind of slow client that reads the first bytes of its answer and no more. */
const READER = 5

describe('S28: the listener for metrics', () => {
  test('answers GET and HEAD of /metrics with the metrics, one request on each connection, and reports its address', async () => {
    const { origin, logLines } = await start()
    const answer = await fetch(`${origin}/metrics`)
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).toContain('process_cpu_seconds_total')
    expect((await fetch(`${origin}/metrics?debug=1`, { method: 'HEAD' })).status).toBe(200)
    expect(logLines.join('')).toContain(`${origin}/metrics`)
  })

  test('answers everything else with 404 in the standard form of errors', async () => {
    const { origin } = await start()
    const asked = [
      ['GET', '/'],
      ['GET', '/metrics/'],
      ['GET', '//metrics'],
      ['GET', '/api/health'],
      ['POST', '/metrics'],
      ['DELETE', '/metrics'],
    ] as const
    for (const [method, path] of asked) {
      const answer = await fetch(origin + path, { method })
      expect([method, path, answer.status, await answer.json()]).toMatchObject([
        method,
        path,
        404,
        { error: { code: 'NOT_FOUND', statusCode: 404 } },
      ])
    }
  })

  test('accepts only names of this machine as the host: no page of another site reads it by a name that was pointed here', async () => {
    const { origin } = await start()
    const statusOf = async (host: string) =>
      (await sendRaw(origin, rawRequest('GET /metrics HTTP/1.1', [`Host: ${host}`, 'Connection: close']))).responses[0]
        ?.status
    for (const host of ['localhost', 'localhost:9464', '127.0.0.1:1', '[::1]:3001'])
      expect([host, await statusOf(host)]).toEqual([host, 200])
    for (const host of [
      'evil.example',
      'evil.example:9464',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '192.0.2.1',
      'a b',
      '',
    ]) {
      expect([host, await statusOf(host)]).toEqual([host, 400])
    }
  })

  test('requires METRICS_TOKEN if that is set', async () => {
    const { origin } = await start({ token: TOKEN })
    const statusOf = async (authorization?: string) =>
      (await fetch(`${origin}/metrics`, { ...(authorization && { headers: { authorization } }) })).status
    expect(await statusOf(`Bearer ${TOKEN}`)).toBe(200)
    for (const wrong of [undefined, `Bearer ${TOKEN}x`, TOKEN, `Basic ${TOKEN}`, 'Bearer'])
      expect([wrong, await statusOf(wrong)]).toEqual([wrong, 404])
  })

  test('answers 500 if the metrics cannot be rendered, logs why, and serves the next request', async () => {
    let isBroken = true
    const render = async () => {
      if (isBroken) throw new Error('out of order')
      return { contentType: 'text/plain', text: 'well 1\n' }
    }
    const { origin, logLines } = await start({ metrics: { render } })
    const broken = await fetch(`${origin}/metrics`)
    expect(broken.status).toBe(500)
    expect(await broken.text()).not.toContain('out of order')
    expect(logLines.join('')).toContain('out of order')
    isBroken = false
    expect(await (await fetch(`${origin}/metrics`)).text()).toBe('well 1\n')
  })

  test('S35: closes a connection that sends nothing, drips, or reads nothing of its answer, whatever it continues to send', async () => {
    const large = { render: async () => ({ contentType: 'text/plain', text: 'x'.repeat(LARGE) }) }
    const { port } = await start({ deadlineMs: 400, metrics: large })
    const head = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n'
    const kinds = [
      '',
      'GET /met',
      `${head}X-Slow: `,
      '\r\n',
      `${head}Content-Length: 10\r\n\r\n`,
      `${head}\r\n`,
      `${head}Expect: x\r\n\r\n`,
    ]
    const sockets = await Promise.all(kinds.map(() => connect(port)))
    const drips = setInterval(() => {
      for (const [index, socket] of sockets.entries())
        if (index < 4 && !socket.destroyed) socket.write(index === 3 ? '\r\n' : 'x')
    }, 50)
    for (const [index, socket] of sockets.entries()) socket.write(kinds[index] as string)
    const ends = sockets.map((socket, index) =>
      index === READER ? new Promise((resolve) => socket.once('close', resolve)) : closed(socket),
    )
    const reader = sockets[READER] as net.Socket
    reader.once('data', () => reader.pause())
    // A paused socket does not notice its end.
    await Promise.all(ends.filter((_, index) => index !== READER))
    reader.resume()
    await Promise.all(ends)
    clearInterval(drips)
    expect(reader.bytesRead).toBeLessThan(LARGE)
  })

  test('S29: has at most 16 connections, and serves again once they are closed', async () => {
    const { port, origin } = await start()
    const sockets = await Promise.all(Array.from({ length: 16 }, () => connect(port)))
    // Node accepts a connection over the limit and closes it at once.
    await closed(await connect(port))
    for (const socket of sockets) socket.destroy()
    await expect
      .poll(async () => (await fetch(`${origin}/metrics`).catch(() => undefined))?.status, { timeout: 30_000 })
      .toBe(200)
  })

  test('S26: survives resets at any moment and data that is not HTTP', async () => {
    const { port, origin } = await start()
    const texts = [
      '',
      'CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n',
      'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n',
      'not http\r\n\r\n',
    ]
    const upgrade = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
    for (const bytes of [...texts, upgrade, `${texts[2]}`.repeat(200)]) {
      for (let i = 0; i < 3; i++) {
        const socket = await connect(port)
        if (bytes !== '') await new Promise((resolve) => socket.write(bytes, resolve))
        socket.resetAndDestroy()
      }
    }
    expect((await fetch(`${origin}/metrics`)).status).toBe(200)
  })

  test('closes with open connections, and its port is free then', async () => {
    const never = { render: () => new Promise<never>(() => undefined) }
    const { listener, port } = await start({ metrics: never })
    const [idle, waiting] = [await connect(port), await connect(port)]
    waiting.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const ends = [closed(idle), closed(waiting)]
    await listener.close()
    await Promise.all(ends)
    const successor = net.createServer().listen(port, '127.0.0.1')
    await once(successor, 'listening')
    successor.close()
    await listener.close()
  })

  test('a port in use is a system error, and may be retried', async () => {
    const { port, listener } = await start()
    const { logLines, ...other } = create()
    await expect(other.listener.listen(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await listener.close()
    await other.listener.listen(port)
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
    expect(logLines.join('')).not.toContain('EADDRINUSE')
  })
})
