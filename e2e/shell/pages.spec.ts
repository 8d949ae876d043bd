import { createStage } from '../../server/test/support/app/server-process.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { visit } from '../support/pages/visit.ts'
import { nightly } from '../support/server/nightly.ts'
import { ADMINISTRATOR } from '../support/server/people.ts'
import { startServer } from '../support/server/shared-server.ts'
import { expect, openSortie, test } from '../support/server/sortie.ts'

test('an unknown address, and an organization of others, keep the navigation and lead home; there is one main', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.signIn(page, organization.owner, '/nothing/here')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  for (const [path, title] of [
    ['/nothing/here', 'Page not found'],
    [`/o/${organization.slug}/nothing/here`, 'Page not found'],
    ['/account/nothing', 'Page not found'],
    ['/o/somebody-else/engagements', 'You have no access'],
    ['/instance/overview', 'You have no access'],
  ] as const) {
    await visit(page, path)
    await expect(page.getByRole('heading', { name: title }), path).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Main' }), path).toBeVisible()
    await expect(page.getByRole('main'), path).toHaveCount(1)
  }
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go home' }).click()
  await expect(page).toHaveURL(new RegExp(`/o/${organization.slug}/home$`))
})

nightly(
  'a page that could not be loaded reports it, and appears without a reload once the server is back',
  async ({ browser }) => {
    const stage = createStage()
    const context = await browser.newContext()
    try {
      const { origin, dataDir, server } = await startServer(stage, {})
      const { people } = openSortie({ origin, dataDir })
      const organization = await people.organization()
      const page = await context.newPage()
      await people.signIn(page, organization.owner, `${origin}/account/profile`)
      await expect(page.getByLabel('Name')).toBeVisible()
      await page.route('**/api/web/**', (route) => route.abort('connectionrefused'))
      await page.route('**/api/health', (route) => route.abort('connectionrefused'))
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
      await expect(page.getByRole('main')).toHaveCount(1)
      await expect(page.getByText('The server cannot be reached. What you typed is kept')).toBeVisible()
      await server.kill()
      await page.unroute('**/api/web/**')
      await page.unroute('**/api/health')
      await (await stage.server({ port: server.port, dataDir, env: { FRONTEND_URL: undefined } })).ready()
      await expect(page.getByLabel('Name')).toHaveValue(organization.owner.name)
    } finally {
      await context.close()
      await stage.close()
    }
  },
)

nightly(
  'a filter that is loading keeps its rows and reports it, and a slow page shows that it is loading',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/members`)
    await expect(page.getByRole('row')).toHaveCount(2)
    let answer = () => undefined as void
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/organizations/current/members?*role=admin*', async (route) => {
      await answered
      await route.continue()
    })
    await page.getByText('Admins', { exact: true }).click()
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(2)
    answer()
    await expect(page.getByRole('heading', { name: 'No one has this role' })).toBeVisible()
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)

    let send = () => undefined as void
    const sent = new Promise<void>((resolve) => {
      send = resolve
    })
    await page.route('**/assets/AuditPage*.js', async (route) => {
      await sent
      await route.continue()
    })
    await page.getByRole('link', { name: 'Audit log' }).click()
    await expect(page.getByRole('progressbar', { name: 'Loading the page' })).toBeVisible()
    send()
    await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Loading the page' })).toHaveCount(0)
  },
)

nightly(
  'on a phone, every column is readable, fields have text of 16 pixels, and targets are 44 high',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const member = await people.member(organization, 'member')
    await page.setViewportSize({ width: 390, height: 844 })
    await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/members`)
    const row = page.getByRole('row', { name: member.email })
    for (const text of ['Off', 'Last seen: ', 'Joined: ']) {
      const cell = row.getByRole('cell').filter({ hasText: text.includes(':') ? /now|yet/ : text })
      await expect(cell.first()).toBeVisible()
    }
    await expect(row.getByRole('cell')).toHaveCount(6)
    await expectAccessible(page)
    await page.goto(`/o/${organization.slug}/settings/members?invite=true`)
    await expect(page.getByLabel('Email addresses')).toHaveCSS('font-size', '16px')
    for (const control of [
      page.getByRole('button', { name: 'Cancel' }),
      page.getByRole('button', { name: 'Close' }),
      page.getByLabel('Email addresses'),
    ]) {
      expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    }
    await people.signIn(page, ADMINISTRATOR, `/instance/accounts?search=${encodeURIComponent(member.email)}`)
    await expect(page.getByRole('switch', { name: /is an instance administrator/ })).toBeVisible()
  },
)
