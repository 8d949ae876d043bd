import { afterAll, expect, test } from 'vitest'
import { createStage } from '../../support/app/server-process.ts'
import { databaseUrl } from '../../support/clients/server-clients.ts'
import { asSuperuser, asSuperuserRows, copyTemplate } from '../../support/database/test-databases.ts'

const stage = createStage()
afterAll(() => stage.close())

test('F21: a Postgres that hides its system identifier serves, with one warning at each start; a copy of its database is refused', async () => {
  const settings = await copyTemplate()
  const env = { DATABASE_URL: databaseUrl(settings) }
  const hides = (word: 'revoke' | 'grant') =>
    asSuperuser(settings, `${word} execute on function pg_control_system() ${word === 'revoke' ? 'from' : 'to'} public`)
  const stored = async () =>
    (await asSuperuserRows<{ id: string }>(settings, 'select system_identifier as id from database_identity'))[0]?.id
  const start = async () => {
    const server = await stage.server({ env })
    await server.ready()
    expect((await server.stop()).code).toBe(0)
    return server.log
      .filter(({ msg }) => msg.includes('system identifier'))
      .map(({ level, msg, err }) => ({ level, msg, err }))
  }
  const warned = [
    {
      level: 40,
      msg: expect.stringMatching(
        /^Postgres hides its system identifier \(permission denied for function pg_control_system\): /,
      ),
      err: undefined,
    },
  ]
  await hides('revoke')
  for (let round = 0; round < 2; round++) expect(await start()).toEqual(warned)
  expect(await stored()).toBe('')
  await hides('grant')
  expect(await start()).toEqual([])
  const known = await stored()
  expect(known).toMatch(/^\d+$/)
  await hides('revoke')
  expect(await start()).toEqual(warned)
  expect(await stored()).toBe(known)

  await asSuperuser(settings, "update database_identity set database_oid = '1'")
  const refused = await stage.server({ env })
  expect((await refused.exited).code).toBe(78)
  expect(refused.errorLines).toEqual([
    expect.stringMatching(/^sortie: the database was restored from a dump, or copied: /),
  ])
})
