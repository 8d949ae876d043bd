import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { nightly } from '../../support/app/nightly.ts'
import { createStage, eventually, postgresPid, type ServerOptions } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { metricsText } from '../../support/document/metrics.ts'

const stage = createStage()
afterAll(() => stage.close())

/** Servers that start together on a busy machine are slow. */
const READY_MS = 100_000

/** Loaded into the server before it starts: SIGUSR2 makes the mistake. */
const withMistake = (code: string): string => {
  const file = path.join(stage.directory(), 'mistake.mjs')
  writeFileSync(file, `process.on('SIGUSR2', () => { ${code} })\n`)
  return `--import ${pathToFileURL(file).href}`
}

const EXCEPTION = "throw new Error('the mistake')"

/** Makes the mistake in a server that has written data, and restarts it. */
const expectToFailCleanly = async (code: string, options: ServerOptions) => {
  const server = await stage.server({
    ...options,
    mayLogUncaught: true,
    env: { ...options.env, NODE_OPTIONS: withMistake(code) },
  })
  await server.ready()
  const key = await withNewKey(await signInAsOwner(server.origin))
  const { body } = await key.post('/api/v1/engagements', { name: 'Kept' })
  server.signal('SIGUSR2')
  expect(await server.exited).toEqual({ code: 1, signal: null })
  expect(server.log.filter(({ level }) => level === 60)).toMatchObject([
    { msg: expect.stringContaining('uncaught'), err: { message: 'the mistake' } },
  ])
  expect(postgresPid(server.dataDir)).toBeUndefined()
  const again = await stage.server({ ...options, port: server.port, dataDir: server.dataDir })
  await again.ready()
  expect((await key.get(`/api/v1/engagements/${body.data.id}`)).body.data.name).toBe('Kept')
}

test('F13: an uncaught exception is one line in the log, the process ends with 1 and leaves no embedded Postgres, and acknowledged writes exist after a restart', () =>
  expectToFailCleanly(EXCEPTION, {}))

test('uncaught system errors do not end the process: each is counted in the metrics, and those of one kind have a line a minute', async () => {
  const error = (code: string) => `Object.assign(new Error('the mistake'), { code: '${code}' })`
  const code = `
    for (let i = 0; i < 3; i++) setImmediate(() => { throw ${error('ECONNRESET')} })
    for (const code of ['EMFILE', 'ENOSPC', 'ENOMEM', 'EPIPE', 'ERR_WORKER_INIT_FAILED']) void Promise.reject(Object.assign(new Error(code), { code }))
    void Promise.reject(new Error('outer', { cause: ${error('EMFILE')} }))`
  const server = await stage.server({ mayLogUncaught: true, env: { NODE_OPTIONS: withMistake(code) } })
  await server.ready()
  server.signal('SIGUSR2')
  // The three of one code have one line.
  await eventually(() => expect(server.uncaught).toHaveLength(7))
  await signInAsOwner(server.origin)
  const metrics = await metricsText(server.origin)
  expect(metrics).toMatch(/^sortie_uncaught_errors_total 9$/m)
  expect((await server.stop()).code).toBe(0)
})

test('a server that logged an uncaught error fails the test that started it', async () => {
  const own = createStage()
  const server = await own.server({
    env: { NODE_OPTIONS: withMistake("throw Object.assign(new Error('the mistake'), { code: 'EPIPE' })") },
  })
  await server.ready()
  server.signal('SIGUSR2')
  await eventually(() => expect(server.uncaught).toHaveLength(1))
  await expect(own.close()).rejects.toThrow('the mistake')
})

nightly.each([
  ['an exception that nothing catches', EXCEPTION],
  ['a rejection that nothing handles', "void Promise.reject(new Error('the mistake'))"],
])(
  'F13: %s, with an external database: one line, the process ends with 1, and acknowledged writes exist',
  async (_name, code) => expectToFailCleanly(code, { env: { DATABASE_URL: databaseUrl(await copyTemplate()) } }),
)

nightly(
  'F13: of two services on one database, one with a full heap ends with a failure, and the other still serves',
  async () => {
    const eat =
      'const all = []; setInterval(() => { for (let i = 0; i < 100; i++) all.push(Array.from({ length: 20_000 }, () => ({ i }))) }, 1)'
    const env = { DATABASE_URL: databaseUrl(await copyTemplate()) }
    const full = await stage.server({
      mayLogUncaught: true,
      env: { ...env, NODE_OPTIONS: `--max-old-space-size=200 ${withMistake(eat)}` },
    })
    const other = await stage.server({ env })
    await Promise.all([full.ready(READY_MS), other.ready(READY_MS)])
    const key = await withNewKey(await signInAsOwner(other.origin))
    full.signal('SIGUSR2')
    const { code } = await full.exited
    // 0 and 78 are the codes after which a service manager does not restart it.
    expect(code).not.toBe(0)
    expect(code).not.toBe(78)
    expect((await key.get('/api/v1/engagements')).status).toBe(200)
    expect((await other.stop()).code).toBe(0)
  },
)
