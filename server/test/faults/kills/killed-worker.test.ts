import { afterAll, expect } from 'vitest'
import { nightly } from '../../support/app/nightly.ts'
import { createStage, eventually } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { SmtpSink } from '../../support/providers/smtp-sink.ts'

const stage = createStage()
afterAll(() => stage.close())

const DONE_WITHIN_MS = 90_000

nightly('F14, N12: the jobs of a killed worker are done by another within 90 s', async () => {
  const sink = await SmtpSink.create()
  await sink.up()
  stage.add(() => sink.down())
  const env = { DATABASE_URL: databaseUrl(await copyTemplate()), SMTP_URL: sink.url }
  const api = await stage.server({ env: { ...env, SORTIE_ROLE: 'api' } })
  const first = await stage.server({ env: { ...env, SORTIE_ROLE: 'worker' } })
  await Promise.all([api.ready(), first.ready()])
  sink.behaviour = { slowMs: 600_000 }
  const owner = await signInAsOwner(api.origin)
  const invited = await owner.post('/api/web/organizations/current/members/invite', {
    email: 'invited@example.com',
    role: 'member',
  })
  expect(invited.status).toBe(201)
  await eventually(() => expect(sink.mails).toHaveLength(1))
  const second = await stage.server({ env: { ...env, SORTIE_ROLE: 'worker' } })
  await second.ready()
  sink.behaviour = 'accept'
  await first.kill()
  await eventually(() => expect(sink.mails).toHaveLength(2), DONE_WITHIN_MS, 250)
  expect(sink.mails.map(({ messageId }) => messageId)).toEqual([sink.mails[0]?.messageId, sink.mails[0]?.messageId])
})
