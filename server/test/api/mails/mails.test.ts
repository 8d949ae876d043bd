import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteOldMails } from '../../../src/features/mails/mails.service.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ workers: false })
})
afterAll(() => app.close())

test('waiting mails are kept, all others for 90 days, also if there are thousands', async () => {
  const day = 24 * 60 * 60 * 1000
  const at = (days: number) => new Date(app.clock.now() - days * day).toISOString()
  await sql`insert into mails (id, kind, recipient, data, status, created_at)
    select 'mal_' || status || days || i, 'invitation', 'a@example.com', '{}', status, case days when 91 then ${at(91)}::timestamptz else ${at(89)}::timestamptz end
    from unnest(array['queued', 'sent', 'failed', 'cancelled']) status, unnest(array[91, 89]) days, generate_series(1, 700) i`.execute(
    app.db,
  )
  await deleteOldMails(app.db, app.clock)
  const { rows } =
    await sql`select status, created_at < ${at(90)} as old, count(*) from mails group by 1, 2 order by 1, 2`.execute(
      app.db,
    )
  expect(rows).toEqual([
    { status: 'cancelled', old: false, count: 700 },
    { status: 'failed', old: false, count: 700 },
    { status: 'queued', old: false, count: 700 },
    { status: 'queued', old: true, count: 700 },
    { status: 'sent', old: false, count: 700 },
  ])
})
