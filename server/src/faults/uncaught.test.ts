import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { databaseUrl, signInAsOwner, withNewKey } from '../testing/server-clients.ts'
import { createStage, eventually } from '../testing/server-process.ts'
import { copyTemplate } from '../testing/test-app.ts'

const stage = createStage()
afterAll(() => stage.close())

/** Loaded into the server before it starts: SIGUSR2 makes the mistake. */
const withMistake = (code: string): string => {
  const file = path.join(stage.directory(), 'mistake.mjs')
  writeFileSync(file, `process.on('SIGUSR2', () => { ${code} })\n`)
  return `--import ${pathToFileURL(file).href}`
}

const MISTAKES = [
  ['an exception that nothing catches', "throw new Error('the mistake')"],
  ['a rejection that nothing handles', "void Promise.reject(new Error('the mistake'))"],
] as const

test.each(MISTAKES)('F13: %s: one line says so, the process ends with 1, and what was acknowledged is there when it is started again', async (_name, code) => {
  const env = { DATABASE_URL: databaseUrl(await copyTemplate()) }
  const server = await stage.server({ env: { ...env, NODE_OPTIONS: withMistake(code) } })
  await server.ready()
  const key = await withNewKey(await signInAsOwner(server.origin))
  const { body } = await key.post('/api/v1/engagements', { name: 'Kept' })
  server.signal('SIGUSR2')
  expect(await server.exited).toEqual({ code: 1, signal: null })
  expect(server.log.filter(({ level }) => level === 60)).toMatchObject([{ msg: expect.stringContaining('nothing caught'), err: { message: 'the mistake' } }])
  const again = await stage.server({ env, port: server.port })
  await again.ready()
  expect((await key.get(`/api/v1/engagements/${body.data.id}`)).body.data.name).toBe('Kept')
})

test('F13: a process whose heap is full ends, is replaced, and the other serves meanwhile', async () => {
  const eat = 'const all = []; setInterval(() => { for (let i = 0; i < 100; i++) all.push(Array.from({ length: 20_000 }, () => ({ i }))) }, 1)'
  const env = { DATABASE_URL: databaseUrl(await copyTemplate()), SORTIE_API_PROCESSES: '2' }
  const server = await stage.server({ env: { ...env, NODE_OPTIONS: `--max-old-space-size=200 ${withMistake(eat)}` } })
  await server.ready()
  const newest = () => server.log.findLast(({ msg, process }) => msg === 'a process serves' && process === 'api-1')?.pid as number
  const full = await eventually(() => {
    expect(newest()).toBeGreaterThan(0)
    return newest()
  })
  const key = await withNewKey(await signInAsOwner(server.origin))
  process.kill(full, 'SIGUSR2')
  await eventually(() => expect(server.log.some(({ msg, process }) => msg.startsWith('a process ended') && process === 'api-1')).toBe(true), 30_000)
  expect((await key.get('/api/v1/engagements', { headers: { connection: 'close' } })).status).toBe(200)
  await eventually(() => expect(newest()).not.toBe(full), 20_000)
  expect((await server.stop()).code).toBe(0)
})
