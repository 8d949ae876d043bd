import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createStage, eventually, type ServerProcess } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { type Crowd, openCrowd } from '../../support/inputs/crowd.ts'
import { rawRequest } from '../../support/network/raw-http.ts'

const MB = 1_048_576
const HEALTH = rawRequest('GET /api/health HTTP/1.1')
const ASSETS = fileURLToPath(new URL('../../../../web/dist/assets/', import.meta.url))
const OTHERS = 10
/** On a machine that the attack keeps busy as well. */
const SERVED_WITHIN_MS = 30_000

const stage = createStage()
const crowds: Crowd[] = []
let server: ServerProcess

beforeAll(async () => {
  server = await stage.server({ env: { DATABASE_URL: databaseUrl(await copyTemplate()) } })
  await server.ready()
})
afterEach(async () => {
  for (const crowd of crowds.splice(0)) crowd.end()
  expect(server.isRunning).toBe(true)
  await eventually(async () => expect(await server.health()).toBe(200))
})
afterAll(() => stage.close())

const crowd = async (
  ...parameters: Parameters<typeof openCrowd> extends [number, ...infer Rest] ? Rest : never
): Promise<Crowd> => {
  const opened = await openCrowd(server.port, ...parameters)
  crowds.push(opened)
  return opened
}

/** Resident memory of the server, in bytes. */
const memory = (): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) * 1024

/** Users who connect during the attack, one after another, each on a new connection. */
const expectOthersServed = async () => {
  for (let i = 0; i < OTHERS; i++) {
    const response = await fetch(`${server.origin}/api/auth/mode`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(SERVED_WITHIN_MS),
    })
    expect(response.status).toBe(200)
  }
}

/** The server's peak memory during `attack`, above that before it, in MB. */
const memoryAdded = async (attack: () => Promise<unknown>): Promise<number> => {
  const before = memory()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, memory())), 50)
  await attack().finally(() => clearInterval(timer))
  return (Math.max(most, memory()) - before) / MB
}

test('S26: 60 clients that reset their connection after CONNECT crash nothing', async () => {
  for (let i = 0; i < 60; i++) {
    const { sockets } = await crowd(1, { bytes: 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n' })
    sockets[0]?.resetAndDestroy()
  }
  await expectOthersServed()
})

test('S29: 4,200 connections of one address leave others served', async () => {
  const { open } = await crowd(4_200, { bytes: HEALTH, reads: true, addresses: 1 })
  await eventually(() => expect(open()).toBe(512))
  await expectOthersServed()
})

test('S27, S30: 240,000 pipelined requests over 100 connections add at most 200 MB, and others are served', async () => {
  const added = await memoryAdded(async () => {
    await crowd(100, { bytes: HEALTH.repeat(2_400) })
    await expectOthersServed()
  })
  expect(added).toBeLessThan(200)
})

test('S25: 400 clients that each ask 100 times for the largest script and read nothing add at most 150 MB', async () => {
  const [largest] = readdirSync(ASSETS).toSorted((a, b) => statSync(ASSETS + b).size - statSync(ASSETS + a).size)
  const ask = rawRequest(`GET /assets/${largest} HTTP/1.1`)
  const added = await memoryAdded(async () => {
    // The maximum number that may wait for an answer, and then more.
    await crowd(200, { bytes: ask.repeat(30) })
    await crowd(200, { bytes: ask.repeat(100) })
    await expectOthersServed()
  })
  expect(added).toBeLessThan(150)
})

test('S29: 4,200 connections of many addresses that send CONNECT are closed within seconds, and others are served then', async () => {
  const { open } = await crowd(4_200, { bytes: 'CONNECT a.example:443 HTTP/1.1\r\n\r\n', reads: true })
  await eventually(() => expect(open()).toBe(0))
  await expectOthersServed()
})

test('S31: a server whose 1,024 descriptors are used up by idle connections allows sign-ins, and recovers', async () => {
  const limited = await stage.server({ env: { DATABASE_URL: databaseUrl(await copyTemplate()) } })
  await limited.ready()
  const { status } = spawnSync('prlimit', ['--pid', String(limited.child.pid), '--nofile=1024:1024'])
  expect(status).toBe(0)
  // Its limit is checked once a second.
  await sleep(1_500)
  const idle = await openCrowd(limited.port, 1_400, { reads: true })
  try {
    await eventually(() => signInAsOwner(limited.origin))
    expect(limited.isRunning).toBe(true)
  } finally {
    idle.end()
  }
  await eventually(() => signInAsOwner(limited.origin))
  expect(await limited.stop()).toEqual({ code: 0, signal: null })
})

test('during all attacks at once the server still stops in time', async () => {
  const stopped = await stage.server({ env: { DATABASE_URL: databaseUrl(await copyTemplate()) } })
  await stopped.ready()
  const all = await Promise.all([
    openCrowd(stopped.port, 300, { bytes: HEALTH.repeat(30) }),
    openCrowd(stopped.port, 300, { bytes: 'CONNECT a.example:443 HTTP/1.1\r\n\r\n' }),
    openCrowd(stopped.port, 300, { bytes: 'GET / HTTP/1.1\r\nHost: loc' }),
    openCrowd(stopped.port, 300, {
      bytes: 'POST /api/auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{',
    }),
  ])
  try {
    await eventually(async () => expect(await stopped.health()).toBe(200))
    const startedAt = performance.now()
    expect(await stopped.stop()).toEqual({ code: 0, signal: null })
    expect(performance.now() - startedAt).toBeLessThan(25_000)
  } finally {
    for (const each of all) each.end()
  }
})
