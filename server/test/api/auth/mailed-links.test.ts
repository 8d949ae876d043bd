import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAIL_TEMPLATES } from '../../../src/app/app.ts'
import { createOrganizationWithOwner } from '../../../src/features/instance/instance.service.ts'
import { renderMail } from '../../../src/platform/mail/layout.ts'
import type { MailRow } from '../../../src/platform/mail/template.ts'
import { operatorOf } from '../../support/app/operator-platform.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

/** Kinds of mail whose link carries a token. Every other kind links to pages that need a session. */
const WITH_TOKEN = ['browser-confirmation', 'invitation', 'password-reset']

/** Everything that notices store; a template uses a part of it. */
const NOTICE = {
  name: 'Ada Byron',
  at: '2026-12-01T08:30:00.000Z',
  change: 'changed',
  device: 'Firefox on Linux',
  address: '192.0.2.7',
  role: 'admin',
  by: 'Grace Hopper',
  to: 'Grace Hopper',
  domain: 'example.com',
  autoJoin: 'switched off',
  provider: 'Test Directory',
  email: 'ada@example.com',
  organization: { name: 'Acme', slug: 'acme' },
  lines: ['A key was created.'],
}

/** Causes one mail of each kind that is rendered from its own rows. */
const causeMails = async (): Promise<void> => {
  const owner = await app.signedIn('owner')
  await owner.post('/api/web/organizations/current/members/invite', { email: 'invited@example.com', role: 'member' })
  await createOrganizationWithOwner(
    operatorOf(app),
    { system: 'test' },
    { name: 'Welcomed', ownerEmail: 'welcomed@example.com' },
  )
  const member = await app.createMember('member')
  for (const request of ['password-reset', 'browser-confirmation'])
    await app.anonymous.post(`/api/auth/${request}`, { email: member.email })
  const engagementId = (await owner.post('/api/web/engagements', { name: 'Linked' })).body.data.id
  await owner.post('/api/web/tasks', { engagementId, title: 'Assigned', assigneeId: member.id })
  for (const email of ['invited@example.com', 'welcomed@example.com', member.email, member.email, member.email])
    await app.nextMail(email)
}

const sampleRow = (kind: string): MailRow => ({
  id: 'mal_sample',
  organization_id: null,
  kind,
  recipient: 'ada@example.com',
  subject_id: null,
  status: 'queued',
  attempts: 0,
  last_error: null,
  created_at: NOTICE.at,
  sent_at: null,
  data: NOTICE,
})

test('the link of every kind of mail has no token in its path or query; a token is the fragment', async () => {
  await causeMails()
  const rows = await app.db.selectFrom('mails').selectAll().orderBy('id').execute()
  const withToken = new Set<string>()
  for (const template of MAIL_TEMPLATES) {
    const queued = rows.filter(({ kind }) => kind === template.kind)
    for (const row of queued.length > 0 ? queued : [sampleRow(template.kind)]) {
      const content = await template.render(app.platform, row)
      expect(content, `${template.kind} is rendered`).toBeDefined()
      const { text, html } = renderMail(content as NonNullable<typeof content>)
      const links = (text + html).match(/https?:\/\/[^\s"<]+/g) ?? []
      expect(links.length, `${template.kind} has links`).toBeGreaterThan(0)
      for (const link of links) {
        const { origin, pathname, search, hash } = new URL(link)
        expect(origin).toBe(app.platform.config.FRONTEND_URL)
        expect(search, link).toBe('')
        // Segments are words of the interface, slugs and ids: a token is 43 characters of base64url.
        for (const segment of pathname.split('/'))
          expect(segment, link).toMatch(/^(?:[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}|[a-z0-9-]{0,40})$/)
        if (hash === '') continue
        expect(hash, link).toMatch(/^#token=[\w-]{43}$/)
        withToken.add(template.kind)
      }
    }
  }
  expect([...withToken].toSorted()).toEqual(WITH_TOKEN)
})
