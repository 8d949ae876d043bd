import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { databaseUrl, signInAsOwner, withNewKey } from '../testing/server-clients.ts'
import { createStage, eventually, postgresPid } from '../testing/server-process.ts'
import { copyTemplate } from '../testing/test-app.ts'

const stage = createStage()
afterEach(() => stage.close())

const ENGAGEMENTS = '/api/v1/engagements'

/**
 * One request on a connection of its own. Refused: nobody listened, or the connection ended before the first byte of an
 * answer, as those do that were still in the kernel's queue when the server stopped listening.
 */
const plainRequest = (port: number, authorization: string): Promise<'refused' | 'broken' | number> =>
  new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path: ENGAGEMENTS, agent: false, headers: { authorization } }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.complete ? (response.statusCode as number) : 'broken'))
      response.once('error', () => resolve('broken'))
    })
    sent.once('error', () => resolve((sent.socket?.bytesRead ?? 0) === 0 ? 'refused' : 'broken'))
    sent.end()
  })

describe('F7: SIGTERM', () => {
  test('under load: every request that was accepted is answered, exit code 0, and the embedded Postgres is stopped', async () => {
    const server = await stage.server()
    await server.ready()
    const key = await withNewKey(await signInAsOwner(server.origin))
    const results = new Map<string, number>()
    let going = true
    const load = async () => {
      while (going) {
        const result = String(await plainRequest(server.port, key.headers.authorization as string))
        results.set(result, (results.get(result) ?? 0) + 1)
        if (result === 'refused') return
      }
    }
    const loads = Array.from({ length: 12 }, load)
    await sleep(500)
    const { code } = await server.stop()
    going = false
    await Promise.all(loads)
    expect(code).toBe(0)
    expect([...results.keys()].filter((result) => !['200', '503', 'refused'].includes(result))).toEqual([])
    expect(results.get('200')).toBeGreaterThan(10)
    expect(postgresPid(server.dataDir)).toBeUndefined()
  })

  test('finishes the request under way, refuses new connections meanwhile, and then ends with 0', async () => {
    const settings = await copyTemplate()
    const server = await stage.server({ env: { DATABASE_URL: databaseUrl(settings) } })
    await server.ready()
    const owner = await signInAsOwner(server.origin)
    const key = await withNewKey(owner)
    const blocker = new pg.Client(settings)
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query('lock table engagements in access exclusive mode')
    const underWay = key.post(ENGAGEMENTS, { name: 'Under way' })
    await eventually(async () => {
      const { rows } = await blocker.query("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")
      expect(rows).toHaveLength(1)
    })
    server.signal('SIGTERM')
    await eventually(async () => expect(await plainRequest(server.port, key.headers.authorization as string)).toBe('refused'), 1_500)
    await blocker.query('rollback')
    await blocker.end()
    expect((await underWay).status).toBe(201)
    expect((await server.exited).code).toBe(0)
  })

  test('a second one ends the process at once', async () => {
    const settings = await copyTemplate()
    const server = await stage.server({ env: { DATABASE_URL: databaseUrl(settings) } })
    await server.ready()
    const key = await withNewKey(await signInAsOwner(server.origin))
    const blocker = new pg.Client(settings)
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query('lock table engagements in access exclusive mode')
    const underWay = key.get(ENGAGEMENTS).catch(() => undefined)
    await sleep(200)
    server.signal('SIGTERM')
    await sleep(700)
    const started = performance.now()
    server.signal('SIGTERM')
    expect((await server.exited).code).toBe(1)
    expect(performance.now() - started).toBeLessThan(300)
    await underWay
    await blocker.query('rollback')
    await blocker.end()
  })

  test('while the server still waits for its database ends it with 0', async () => {
    const server = await stage.server({ env: { DATABASE_URL: 'postgres://sortie@127.0.0.1:9/nothing' } })
    await eventually(async () => expect(await server.health()).toBe(503))
    expect((await server.stop()).code).toBe(0)
  })
})
