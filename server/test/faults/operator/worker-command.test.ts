import { afterAll, expect, test } from 'vitest'
import { startSortie } from '../../support/app/operator.ts'
import { createStage, eventually } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner } from '../../support/clients/server-clients.ts'
import { asSuperuserRows, copyTemplate } from '../../support/database/test-databases.ts'

const stage = createStage()
afterAll(() => stage.close())

test('sortie worker --only does jobs of the named kinds next to a server that does none, and leaves the others', async () => {
  const settings = await copyTemplate()
  const env = { DATABASE_URL: databaseUrl(settings) }
  const api = await stage.server({ env: { ...env, SORTIE_ROLE: 'api' } })
  await api.ready()
  const owner = await signInAsOwner(api.origin)
  const { id } = (await owner.post('/api/web/engagements', { name: 'Removed' })).body.data
  await owner.post('/api/web/organizations/current/members/invite', { email: 'waits@example.com', role: 'member' })
  for (const list of ['engagements', 'trashed-engagements']) {
    expect((await owner.delete(`/api/web/${list}/${id}`, { body: { name: 'Removed' } })).status).toBe(200)
  }
  const { child, finished } = startSortie(['worker', '--only', 'remove-engagement'], stage.directory(), {
    ...env,
    PORT: String(api.port),
  })
  stage.add(() => child.kill('SIGKILL'))
  await eventually(async () => {
    expect(
      await asSuperuserRows(settings, `select state, worker from background_jobs where subject_id = '${id}'`),
    ).toEqual([{ state: 'succeeded', worker: null }])
  })
  expect(await asSuperuserRows(settings, `select id from engagements where id = '${id}'`)).toEqual([])
  expect(await asSuperuserRows(settings, "select status from mails where kind = 'invitation'")).toEqual([
    { status: 'queued' },
  ])
  child.kill('SIGTERM')
  const { code, err } = await finished
  expect(code).toBe(0)
  expect(err).toContain('Sortie runs jobs; health: http://localhost:')
})

test('an unknown kind is refused with the list of known ones', async () => {
  const { code, err } = await startSortie(['worker', '--only', 'import,nonsense'], stage.directory(), {
    DATABASE_URL: databaseUrl(await copyTemplate()),
  }).finished
  expect(code).toBe(78)
  expect(err).toMatch(/SORTIE_JOBS: there is no kind of job nonsense; there are .*, import, .*remove-engagement/)
  expect((await startSortie(['worker', '--port', 'x'], stage.directory()).finished).code).toBe(64)
})
