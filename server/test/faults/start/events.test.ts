import { afterAll, expect, test } from 'vitest'
import { createStage, eventually } from '../../support/app/server-process.ts'
import { openStream } from '../../support/clients/event-stream.ts'
import { databaseUrl, signInAsOwner } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'

const stage = createStage()
afterAll(() => stage.close())

test('a change in one process reaches streams of another; a process that stops ends its streams at once, also before its delay', async () => {
  const env = { DATABASE_URL: databaseUrl(await copyTemplate()), SHUTDOWN_DELAY_SECONDS: '30' }
  const [first, second] = [await stage.server({ env }), await stage.server({ env })]
  await first.ready()
  await second.ready()
  const owner = await signInAsOwner(first.origin)
  const stream = await openStream(owner)
  expect(stream.status).toBe(200)
  const other = await signInAsOwner(second.origin)
  const { id } = (await other.post('/api/web/engagements', { name: 'Made elsewhere' })).body.data
  expect(await stream.hears(id)).toEqual({ type: 'engagement', id, engagementId: id, change: 'created' })
  first.signal('SIGTERM')
  await eventually(() => expect(stream.ended).toBe(true), 5_000)
  expect(first.isRunning).toBe(true)
  expect((await openStream(owner)).status).toBe(503)
  await first.kill()
})
