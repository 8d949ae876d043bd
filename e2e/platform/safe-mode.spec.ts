import { onDatabase } from '../../server/test/faults/portable/database-state.ts'
import { createStage } from '../../server/test/support/app/server-process.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { ADMINISTRATOR, type People } from '../support/server/people.ts'
import { type StartedServer, startServer } from '../support/server/shared-server.ts'
import { test as base, expect, openSortie } from '../support/server/sortie.ts'

/** A restore affects the whole instance: this test has its own server. */
const test = base.extend<object, { started: StartedServer }>({
  started: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      const stage = createStage()
      await use(await startServer(stage, {}))
      await stage.close()
    },
    { scope: 'worker' },
  ],
  sortie: [async ({ started }, use) => use(openSortie(started)), { scope: 'worker' }],
})

const REASON = 'The database was restored from a backup or a dump.'
const PHONE = { width: 390, height: 844 }
const WIDE = { width: 1280, height: 800 }

/** The state after `restore`, with a mail that waited when the backup was made. */
const enterSafeMode = async (dataDir: string, people: People) => {
  await onDatabase(dataDir, async (client) => {
    await client.query(`insert into mails (id, kind, recipient, data, status, created_at)
      values ('mal_' || substr(md5(random()::text), 1, 26), 'password', 'old@example.com', '{}', 'queued', now() - interval '1 day')`)
    await client.query(
      `insert into safe_mode (reason, since) values ($1, now()) on conflict (id) do update set reason = excluded.reason, since = excluded.since, ended_at = null`,
      [REASON],
    )
  })
  // The server reads the state at most a second late.
  await expect
    .poll(async () => (await people.call(ADMINISTRATOR, 'GET', '/api/web/instance/safe-mode')).body.data.isOn)
    .toBe(true)
}

const organizationOf = async (people: People) => {
  const organization = await people.organization()
  const call = await people.session(organization.owner, organization.id)
  const { data } = await call('POST', '/api/web/engagements', { name: 'Contoso perimeter' })
  return { ...organization, engagementId: data.id as string }
}

test('O4: every signed-in user sees safe mode above every page, wide or narrow; an administrator ends it there', async ({
  page,
  otherPage,
  sortie: { people },
  started: { dataDir },
}) => {
  const { owner, slug, engagementId } = await organizationOf(people)
  await enterSafeMode(dataDir, people)
  await people.signIn(page, owner, `/o/${slug}/engagements/${engagementId}/targets`)
  const banner = page.getByRole('region', { name: 'Safe mode' })
  await expect(banner).toHaveText(`Safe mode. No scans, API requests or mail leave this instance. ${REASON}`)
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size)
    const height = await banner.evaluate((element) => element.getBoundingClientRect().bottom)
    const heading = page.getByRole('heading', { level: 1 })
    await expect
      .poll(() => heading.evaluate((element) => element.getBoundingClientRect().top))
      .toBeGreaterThanOrEqual(height)
    // Nothing overflows at the right, and the page, which fills the window, does not become higher.
    const excess = await page.evaluate(() => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement
      return { right: Math.max(0, scrollWidth - clientWidth), below: scrollHeight - clientHeight }
    })
    expect(excess).toEqual({ right: 0, below: 0 })
    await expectAccessible(page)
  }
  await expect(banner.getByRole('button')).toHaveCount(0)

  await people.signIn(otherPage, ADMINISTRATOR, '/instance/overview')
  const ask = otherPage.getByRole('region', { name: 'Safe mode' }).getByRole('button', { name: 'Go live…' })
  await ask.click()
  const dialog = otherPage.getByRole('dialog', { name: 'Go live?' })
  await expect(dialog).toContainText('Go live only if the instance that it was copied from is switched off')
  await expect(dialog).toContainText('One mail from before: held under Instance, Mail outbox, unless you send it here.')
  await expect(dialog.getByRole('checkbox', { name: 'Also send the mail from before' })).not.toBeChecked()
  await expectAccessible(otherPage)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(ask).toBeFocused()
  await ask.click()
  await dialog.getByRole('button', { name: 'Go live' }).click()
  await expect(otherPage.getByText('This instance is live.')).toBeVisible()
  await expect(ask).toHaveCount(0)
  // The owner's page polls.
  await expect(banner).toHaveCount(0)
  await otherPage.getByRole('link', { name: 'Mail outbox' }).click()
  await expect(otherPage.getByRole('row', { name: /old@example\.com/ })).toContainText('Failed')
})

test('O4: in safe mode a request shows why it is not sent, and the page for a forgotten password what to do instead', async ({
  page,
  otherPage,
  sortie: { people },
  started: { dataDir },
}) => {
  const { owner } = await organizationOf(people)
  await enterSafeMode(dataDir, people)
  await otherPage.goto('/password-reset')
  await otherPage.getByLabel('Email').fill(owner.email)
  await otherPage.getByRole('button', { name: 'Send the link' }).click()
  await expect(otherPage.getByRole('alert')).toContainText('This instance is in safe mode and sends no email')
  await people.signIn(page, ADMINISTRATOR, '/account/profile')
  await page.getByRole('button', { name: 'Go live…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Go live' }).click()
  await expect(page.getByText('This instance is live.')).toBeVisible()
})
