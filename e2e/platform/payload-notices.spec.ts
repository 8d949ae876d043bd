import path from 'node:path'
import pg from 'pg'
import { createStage, eventually } from '../../server/test/support/app/server-process.ts'
import { LINES, partsOf } from '../support/hostile/payloads.ts'
import { expectInert } from '../support/pages/inert.ts'
import { nightly } from '../support/server/nightly.ts'
import { startServer } from '../support/server/shared-server.ts'
import { expect, openSortie, test, watch } from '../support/server/sortie.ts'

/** A title has at most 200 characters. */
const TITLES = partsOf(LINES, 190).map((part) => part.replaceAll('\n\n', ' '))
/** The first notice is mailed at once; those of the next five minutes are one mail, with this many lines. */
const IN_ONE_MAIL = 40

nightly(
  `B7: ${LINES.length} payloads are text in notices and in mails, as text and as HTML that a browser opens`,
  async ({ browser }) => {
    test.setTimeout(480_000)
    const stage = createStage()
    try {
      const started = await startServer(stage, {})
      const { people, origin, mails } = openSortie(started)
      const organization = await people.organization()
      const [shortest = ''] = LINES.toSorted((a, b) => a.length - b.length)
      const owner = await people.session(organization.owner, organization.id)
      await owner('PATCH', '/api/web/account', { name: `${shortest} & <b>Olga</b>` })
      await owner('PATCH', '/api/web/organizations/current', {
        name: `<img src=x onerror=window.__ran=1> & "Northwind"`,
      })
      const engagementId: string = (await owner('POST', '/api/web/engagements', { name: 'Contoso' })).data.id
      const members = []
      for (let first = 0; first < TITLES.length; first += IN_ONE_MAIL + 1) {
        members.push({
          person: await people.member(organization, 'member'),
          titles: TITLES.slice(first, first + IN_ONE_MAIL + 1),
        })
      }
      const all = (await owner('GET', '/api/web/organizations/current/members')).data as { id: string; email: string }[]
      const idOf = (email: string) => all.find((member) => member.email === email)?.id as string
      for (const { person, titles } of members) {
        for (const title of titles)
          await owner('POST', '/api/web/tasks', { engagementId, title, assigneeId: idOf(person.email) })
      }
      const database = new pg.Client({
        host: path.join(started.dataDir, 'postgres'),
        port: 5432,
        user: 'sortie',
        database: 'sortie',
      })
      await database.connect()
      await database.query(
        "update pgboss.job set start_after = now() where name = 'deliver-mail' and state = 'created'",
      )
      await database.end()

      const context = await browser.newContext({ baseURL: origin, bypassCSP: true })
      const offences = watch(context, origin)
      const tab = await context.newPage()
      for (const { person, titles } of members) {
        const [single, collected] = await eventually(async () => {
          const found = (await mails.to(person.email)).filter(({ text }) => text?.includes('assigned to you'))
          if (found.length < Math.min(2, titles.length))
            throw new Error(`${found.length} mails came to ${person.email}`)
          return found
        })
        for (const [mail, wanted] of [[single, titles.slice(0, 1)] as const, [collected, titles.slice(1)] as const]) {
          if (!mail) continue
          for (const title of wanted) expect(mail.text).toContain(`assigned to you: ${title}\n`)
          await tab.setContent(mail.html ?? '')
          const shown = await tab.locator('body').textContent()
          for (const title of wanted) expect(shown).toContain(`assigned to you: ${title}\n`)
          expect(
            await tab.evaluate(() =>
              [...new Set([...document.querySelectorAll('*')].map(({ tagName }) => tagName.toLowerCase()))].toSorted(),
            ),
          ).toEqual('a body br div head html meta p title'.split(' '))
          await expectInert(tab, 'body')
          expect(
            await tab
              .locator('a')
              .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).origin)),
          ).toEqual([origin])
        }
      }
      expect(offences).toEqual([])
      await context.close()

      for (const bypassCSP of [false, true]) {
        const inbox = await browser.newContext({ baseURL: origin, bypassCSP })
        const noted = watch(inbox, origin)
        const page = await inbox.newPage()
        for (const { person, titles } of members) {
          await people.signIn(page, person, `/o/${organization.slug}/inbox`)
          const notices = page.getByRole('list', { name: 'Notices' }).getByRole('listitem')
          await expect(notices).toHaveCount(titles.length)
          const texts = await notices.allTextContents()
          for (const title of titles) expect(texts.some((text) => text.includes(title))).toBe(true)
          await expect(page.getByRole('link', { name: /^Inbox, \d+ unread$/ })).toBeVisible()
          await expectInert(page, 'body > div')
        }
        await inbox.close()
        expect(noted).toEqual([])
      }
    } finally {
      await stage.close()
    }
  },
)

test('B7: an invitation quotes the names of the inviting user and of the organization as text', async ({
  page,
  sortie,
}) => {
  const { people, mails } = sortie
  const organization = await people.organization()
  const owner = await people.session(organization.owner, organization.id)
  const name = `<script>window.__ran=1</script>"'&`
  await owner('PATCH', '/api/web/account', { name })
  await owner('PATCH', '/api/web/organizations/current', { name })
  const email = `${people.unique('guest')}@example.com`
  await owner('POST', '/api/web/organizations/current/members/invite', { email, role: 'member' })
  await people.mail(email, 'token=')
  const [mail] = await mails.to(email)
  expect(mail?.subject).toBe(`${name} invites you to ${name} on Sortie`)
  await page.setContent(mail?.html ?? '')
  await expect(page.locator('body')).toContainText(
    `${name} invites you to join the organization ${name} on Sortie as a member.`,
  )
  await expectInert(page, 'body')
})
