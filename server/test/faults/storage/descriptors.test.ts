import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { createStage, eventually, type ServerProcess } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { openRaw, rawRequest } from '../../support/network/raw-http.ts'

const stage = createStage()
afterAll(() => stage.close())

const LIMIT = 1_024

/** Limits the descriptors of a server; open ones stay open. */
const limitDescriptors = ({ child: { pid } }: ServerProcess, count: number) =>
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${count}:${LIMIT}`])

const SIGN_IN = rawRequest(
  'POST /api/auth/sign-in/email HTTP/1.1',
  ['Content-Type: application/json'],
  JSON.stringify({ email: 'nobody@example.com', password: 'four words of no one' }),
)

test.runIf(process.platform === 'linux')(
  'S31: without free descriptors a sign-in, whose password is hashed in a thread, is answered with 503 and Retry-After; sign-in works again once some are free',
  async () => {
    const server = await stage.server({
      mayLogUncaught: true,
      env: { DATABASE_URL: databaseUrl(await copyTemplate()) },
    })
    await server.ready()
    const connection = await openRaw(server.origin)
    expect((await connection.exchange(rawRequest('GET /api/health HTTP/1.1'))).map(({ status }) => status)).toEqual([
      200,
    ])
    const used = readdirSync(`/proc/${server.child.pid}/fd`).length
    limitDescriptors(server, Math.min(used, 3))
    const answers = [...(await connection.exchange(SIGN_IN)), ...(await connection.exchange(SIGN_IN))]
    expect(answers.map(({ status, headers }) => [status, headers['retry-after']])).toEqual([
      [503, '3'],
      [503, '3'],
    ])
    expect(
      server.log.filter(({ err }) => (err as { code?: string })?.code === 'ERR_WORKER_INIT_FAILED').length,
    ).toBeGreaterThanOrEqual(1)
    limitDescriptors(server, LIMIT)
    await eventually(() => signInAsOwner(server.origin))
    connection.close()
    // The load guard causes these: it reads the resident memory from a file.
    expect(server.uncaught.filter(({ err }) => !(err as Error).message.includes('uv_resident_set_memory'))).toEqual([])
    expect((await server.stop()).code).toBe(0)
  },
)
