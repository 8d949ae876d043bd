import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliver } from '../../src/features/mails/mails.service.ts'
import { invitationMail } from '../../src/features/organizations/invitations/invitations.emails.ts'
import { isNightly } from '../support/app/nightly.ts'
import { type TestApp, type TestOrganization, testApp } from '../support/app/test-app.ts'
import type { TestClient } from '../support/app/test-client.ts'
import { sendRaw } from '../support/network/raw-http.ts'

/** Requests of each of the 40 concurrent callers. */
const TURNS = isNightly ? 100 : 12

let app: TestApp

beforeAll(async () => {
  app = await testApp({ workers: false })
})
afterAll(() => app.close())

describe('A9: many organizations at once', () => {
  test('A9: in mixed requests of 20 callers, with faults and aborted ones among them, each receives only data of its own organization', async () => {
    const callers: { organization: TestOrganization; key: TestClient; web: TestClient }[] = []
    for (let i = 0; i < 10; i++) {
      const organization = await app.createOrganization(`Organization number ${i}`)
      callers.push({
        organization,
        key: await app.withKey(SCOPE_NAMES, organization),
        web: await app.signedIn('owner', organization),
      })
    }
    let mismatches = 0
    const ask = async (lane: number, turn: number) => {
      const { organization, key, web } = callers[(lane * 7 + turn) % callers.length] as (typeof callers)[0]
      switch ((lane + turn) % 8) {
        case 0:
          return expect((await key.get('/api/v1/engagements?page=0')).status).toBe(400)
        case 1:
          return void (await sendRaw(
            app.origin,
            `GET /api/v1/organizations/current HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${key.headers.authorization}\r\n\r\n`,
            { quietMs: 1, timeoutMs: 2 },
          ))
        case 2: {
          const { body } = await key.post('/api/v1/engagements', { name: organization.id })
          if (body.data.name !== organization.id) mismatches++
          return
        }
        case 3: {
          const { body } = await key.get('/api/v1/engagements?perPage=100')
          if (body.data.some(({ name }: { name: string }) => name !== organization.id)) mismatches++
          return
        }
        default: {
          const { body } = await ((lane + turn) % 2
            ? key.get('/api/v1/organizations/current')
            : web.get('/api/web/organizations/current'))
          if (body.data.id !== organization.id) mismatches++
        }
      }
    }
    await Promise.all(
      Array.from({ length: 40 }, async (_, lane) => {
        for (let turn = 0; turn < TURNS; turn++) await ask(lane, turn)
      }),
    )
    expect(mismatches).toBe(0)
  })
})

describe('A11: waiting jobs', () => {
  const prepare = async () => {
    const organization = await app.createOrganization()
    const owner = await app.signedIn('owner', organization)
    const email = `waits.${organization.id.slice(-8)}@example.com`
    const { data } = (await owner.post('/api/web/organizations/current/members/invite', { email, role: 'admin' })).body
    const mail = await app.db
      .selectFrom('mails')
      .select(['id', 'status'])
      .where('subject_id', '=', data.id)
      .executeTakeFirstOrThrow()
    return { owner, id: data.id as string, mailId: mail.id }
  }
  const run = async (mailId: string) => {
    const sent: string[] = []
    const mailer = {
      description: 'a sink',
      close: () => undefined,
      send: async ({ text }: { text: string }) => String(sent.push(text)),
    }
    await deliver({ ...app.platform, mailer, mailTemplates: [invitationMail] }, mailId)
    const { status } = await app.db
      .selectFrom('mails')
      .select('status')
      .where('id', '=', mailId)
      .executeTakeFirstOrThrow()
    return { sent: sent.length, status }
  }

  test('A11: the mail of an invitation that was revoked before sending is cancelled', async () => {
    const { owner, id, mailId } = await prepare()
    await owner.delete(`/api/web/invitations/${id}`)
    expect(await run(mailId)).toEqual({ sent: 0, status: 'cancelled' })
  })

  test('A11: so is one whose invitation was sent again or expired; that of a valid invitation is sent once', async () => {
    const renewed = await prepare()
    await renewed.owner.post(`/api/web/invitations/${renewed.id}/resend`)
    expect(await run(renewed.mailId)).toEqual({ sent: 0, status: 'cancelled' })
    const standing = await prepare()
    expect(await run(standing.mailId)).toEqual({ sent: 1, status: 'sent' })
    expect(await run(standing.mailId)).toEqual({ sent: 0, status: 'sent' })
    const late = await prepare()
    app.clock.advance(7 * 24 * 60 * 60 * 1000)
    expect(await run(late.mailId)).toEqual({ sent: 0, status: 'cancelled' })
  })
})
