import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { isNightly, nightly } from '../../support/app/nightly.ts'
import { createStage, eventually, isAlive, postgresPid, type ServerProcess } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { startRequest } from '../../support/races/request-in-progress.ts'

const stage = createStage()
/** Servers that start on a busy machine are slow. */
const READY_MS = 100_000
vi.setConfig({ testTimeout: 3 * READY_MS })
afterEach(() => stage.close())

const ENGAGEMENTS = '/api/v1/engagements'
/**
 * A commit runs the first of them under load and the second with a running request; the night runs all of them in both.
 */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/** Longer than the time within which signals count as one. */
const NOT_THE_SAME_MS = 700

/** A server on an existing database, and the authorization of a key. */
const startServer = async (env: Record<string, string> = {}) => {
  const server = await stage.server({ env: { DATABASE_URL: databaseUrl(await copyTemplate()), ...env } })
  await server.ready(READY_MS)
  const key = await withNewKey(await signInAsOwner(server.origin))
  return { server, authorization: key.headers.authorization as string }
}

/** Returns when the server has started to stop. */
const isStopping = (server: ServerProcess) =>
  eventually(() => expect(server.log.some(({ msg }) => msg.startsWith('stopping:'))).toBe(true))

const accepts = async (port: number): Promise<boolean> => {
  const socket = net.connect(port, '127.0.0.1')
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}

/**
 * One request on its own connection. The server reports when it has read the head (100 Continue). Refused: it never
 * has, because no one listened, or the connection was still in the kernel's queue when the server stopped listening.
 */
const plainRequest = (port: number, authorization: string): Promise<'refused' | 'broken' | number> =>
  new Promise((resolve) => {
    const sent = request(
      { host: '127.0.0.1', port, path: ENGAGEMENTS, agent: false, headers: { authorization, expect: '100-continue' } },
      (response) => {
        response.resume()
        response.once('end', () => resolve(response.complete ? (response.statusCode as number) : 'broken'))
        response.once('error', () => resolve('broken'))
      },
    )
    sent.once('error', () => resolve((sent.socket?.bytesRead ?? 0) === 0 ? 'refused' : 'broken'))
    sent.end()
  })

describe('F7: a signal', () => {
  test('under load, of each kind: every accepted request is answered, exit code 0, and the embedded Postgres is stopped', async () => {
    let dataDir: string | undefined
    for (const signal of isNightly ? SIGNALS : SIGNALS.slice(0, 1)) {
      const server = await stage.server(dataDir === undefined ? {} : { dataDir })
      dataDir = server.dataDir
      await server.ready(READY_MS)
      const key = await withNewKey(await signInAsOwner(server.origin))
      const results = new Map<string, number>()
      const load = async () => {
        for (let result = ''; result !== 'refused' && server.isRunning;) {
          result = String(await plainRequest(server.port, key.headers.authorization as string))
          results.set(result, (results.get(result) ?? 0) + 1)
        }
      }
      const loads = Array.from({ length: 12 }, load)
      await eventually(() => expect(results.get('200')).toBeGreaterThan(50), 30_000)
      server.signal(signal)
      expect(await server.exited).toEqual({ code: 0, signal: null })
      await Promise.all(loads)
      expect([...results.keys()].filter((result) => !['200', '503', 'refused'].includes(result))).toEqual([])
      expect(postgresPid(dataDir)).toBeUndefined()
    }
  })

  test.each(isNightly ? SIGNALS : SIGNALS.slice(1, 2))(
    '%s: the running request finishes, new connections are refused, and the process ends with 0',
    async (signal) => {
      const { server, authorization } = await startServer()
      const underWay = await startRequest(server.origin + ENGAGEMENTS, authorization, { name: 'Under way' })
      server.signal(signal)
      await isStopping(server)
      await eventually(async () => expect(await accepts(server.port)).toBe(false))
      expect(server.isRunning).toBe(true)
      expect(await underWay.finish()).toEqual({ status: 201, connection: 'close' })
      const answeredAt = performance.now()
      expect(await server.exited).toEqual({ code: 0, signal: null })
      // Long before connections are cut: the server does not wait for leftovers of the answer, such as a connection
      // that the client would keep.
      expect(performance.now() - answeredAt).toBeLessThan(8_000)
    },
  )

  nightly('a request that is not finished within 10 s is cut', async () => {
    const { server, authorization } = await startServer()
    const underWay = await startRequest(server.origin + ENGAGEMENTS, authorization, { name: 'Never whole' })
    const signalledAt = performance.now()
    server.signal('SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
    expect(performance.now() - signalledAt).toBeGreaterThan(9_900)
    await expect(underWay.finish()).rejects.toThrow()
  })

  nightly('a second one ends the process at once', async () => {
    const { server, authorization } = await startServer()
    await startRequest(server.origin + ENGAGEMENTS, authorization, { name: 'Never whole' })
    server.signal('SIGTERM')
    await isStopping(server)
    await sleep(NOT_THE_SAME_MS)
    server.signal('SIGTERM')
    expect((await server.exited).code).toBe(1)
  })

  nightly('while the server still waits for its database ends it with 0', async () => {
    const server = await stage.server({ env: { DATABASE_URL: 'postgres://sortie@127.0.0.1:9/nothing' } })
    await eventually(async () => expect(await server.health()).toBe(503), READY_MS)
    expect((await server.stop()).code).toBe(0)
  })

  nightly(
    'with SHUTDOWN_DELAY_SECONDS: readiness is 503 at once, requests are served during the delay and end their connections',
    async () => {
      const { server, authorization } = await startServer({ SHUTDOWN_DELAY_SECONDS: '5' })
      const signalledAt = performance.now()
      server.signal('SIGTERM')
      await isStopping(server)
      expect(await server.health()).toBe(503)
      const answer = await fetch(server.origin + ENGAGEMENTS, { headers: { authorization } })
      expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
      expect(await server.exited).toEqual({ code: 0, signal: null })
      expect(performance.now() - signalledAt).toBeGreaterThan(4_900)
    },
  )
})

describe('F7: no process is left behind', () => {
  nightly('when the process crashes while it stops', async () => {
    const mistake = path.join(stage.directory(), 'mistake.mjs')
    writeFileSync(mistake, "process.on('SIGUSR2', () => { throw new Error('the mistake') })\n")
    const server = await stage.server({ env: { NODE_OPTIONS: `--import ${pathToFileURL(mistake).href}` } })
    await server.ready(READY_MS)
    const key = await withNewKey(await signInAsOwner(server.origin))
    await startRequest(server.origin + ENGAGEMENTS, key.headers.authorization as string, { name: 'Never whole' })
    server.signal('SIGHUP')
    await isStopping(server)
    server.signal('SIGUSR2')
    expect((await server.exited).code).toBe(1)
    expect(postgresPid(server.dataDir)).toBeUndefined()
  })

  nightly('when its log is no longer read: it continues, and ends as usual', async () => {
    const { server, authorization } = await startServer()
    server.child.stdout?.destroy()
    server.child.stderr?.destroy()
    for (let i = 0; i < 3; i++) {
      const headers = { authorization, 'content-type': 'application/json' }
      expect(
        (await fetch(server.origin + ENGAGEMENTS, { method: 'POST', headers, body: '{"name":"Unseen"}' })).status,
      ).toBe(201)
    }
    expect(await server.stop()).toEqual({ code: 0, signal: null })
  })

  test.runIf(isNightly && process.platform === 'linux')(
    'when the terminal that the server was started in is gone, and nothing can be written to it',
    async () => {
      const server = await stage.server({ terminal: true })
      await server.ready(READY_MS)
      const [pid] = childrenOf(server.child.pid as number)
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain('main.js')
      stage.add(() => isAlive(pid as number) && process.kill(pid as number, 'SIGKILL'))
      await server.kill()
      await eventually(() => expect(isAlive(pid as number)).toBe(false), 20_000)
      expect(postgresPid(server.dataDir)).toBeUndefined()
    },
  )
})

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
