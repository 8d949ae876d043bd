import type { Page } from '@playwright/test'
import { chooseFrom } from '../support/pages/choice.ts'
import { visit } from '../support/pages/visit.ts'
import { nightly, sampled } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test('the command palette finds pages, engagements, members and actions by keyboard', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Fabrikam red team' }, organization.id)
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await expect(page.getByRole('link', { name: 'Fabrikam red team' })).toBeVisible()
  const field = page.getByRole('combobox', { name: 'Search pages, engagements, members and actions' })
  const choose = async (text: string) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text)
    await expect(field).toHaveValue(text)
    await expect(page.getByRole('option', { selected: true })).toBeVisible()
  }
  await page.keyboard.press('Control+k')
  await page.keyboard.type('fabri')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Fabrikam red team' })).toBeVisible()
  await choose(member.email)
  await expect(page.getByRole('option', { selected: true })).toContainText(member.name)
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  await choose('create api key')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Create API key' })).toBeVisible()
  await page.keyboard.press('Escape')
  await choose('create an engagement')
  await expect(page.getByRole('option', { name: /^Create an engagement/ })).toHaveCount(1)
  await page.keyboard.press('Escape')
  await choose('audit')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Audit log' })).toContainText('Fabrikam red team')
})

test('what is typed into the command palette while it is loaded is kept, with Backspace and Enter', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Fabrikam red team' }, organization.id)
  const loads = Promise.withResolvers<void>()
  const asked = page.waitForRequest('**/assets/overlays-*.js')
  await page.route('**/assets/overlays-*.js', async (route) => {
    await loads.promise
    await route.continue()
  })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await expect(page.getByRole('link', { name: 'Fabrikam red team' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await asked
  await page.keyboard.type('fabrx')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  loads.resolve()
  await expect(page.getByRole('heading', { name: 'Fabrikam red team' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('everything of the first minutes works with only the keyboard', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await page.goto('/sign-in')
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type(organization.owner.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(organization.owner.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await page.keyboard.press('Enter')
  const create = page.getByRole('link', { name: 'Create engagement' })
  for (
    let presses = 0;
    presses < 12 && !(await create.evaluate((element) => element === document.activeElement));
    presses++
  )
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'By keyboard' })).toBeVisible()
  const switcher = page.getByRole('button', { name: /^Account: / })
  await switcher.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Account', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(switcher).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('menu')).toBeHidden()
})

nightly('no key is lost right after the one that opens a menu or a dialog', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/members`)
  const account = page.getByRole('button', { name: /^Account: / })
  await account.focus()
  await pressAtOnce(page, ['Enter', 'ArrowDown', 'ArrowDown'])
  await expect(page.getByRole('menuitem', { name: 'Light theme' })).toBeFocused()
  await page.keyboard.press('Escape')
  const actions = page.getByRole('button', { name: `Actions for ${member.name}` })
  await actions.focus()
  await pressAtOnce(page, ['Enter', 'Enter', 'Escape'])
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(actions).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /^Remove / })).toBeVisible()
})

/** Sends all keys before the page can react to the first, as a busy machine does with a fast typist. */
const pressAtOnce = async (page: Page, keys: string[]): Promise<void> => {
  await Promise.all(keys.map((key) => page.keyboard.press(key)))
}

test('the theme follows the system until one is chosen, and the choice stays', async ({ browser, sortie }) => {
  const { people, origin } = sortie
  const organization = await people.organization()
  const context = await browser.newContext({ baseURL: origin, colorScheme: 'dark' })
  const page = await context.newPage()
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await people.signIn(page, organization.owner)
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible()
  expect(await background()).toBe('rgb(22, 23, 27)')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(background).toBe('rgb(255, 255, 255)')
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('menuitem', { name: 'Dark theme' }).click()
  await expect.poll(background).toBe('rgb(22, 23, 27)')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible()
  expect(await background()).toBe('rgb(22, 23, 27)')
  await context.close()
})

test('typed text survives an outage of the server, and the page continues when it is back', async ({
  page,
  sortie,
  context,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements?create=true`)
  await page.getByLabel('Name').fill('Typed while away')
  await context.route('**/api/**', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Create engagement' }).click()
  await expect(page.getByText('The server cannot be reached. What you typed is kept')).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('Typed while away')
  await context.unroute('**/api/**')
  await expect(page.getByText('The server cannot be reached. What you typed is kept')).toBeHidden()
  await page.getByRole('button', { name: 'Create engagement' }).click()
  await expect(page.getByRole('heading', { name: 'Typed while away' })).toBeVisible()
})

nightly('a change that the server refuses is reverted', async ({ page, sortie, context }) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/members`)
  const role = page.getByRole('combobox', { name: `Role of ${member.name}` })
  await context.route('**/members/usr_*', (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/json',
      body: JSON.stringify({ error: { code: 'CONFLICT', message: 'Not today.', statusCode: 409 } }),
    }),
  )
  await chooseFrom(role, 'admin')
  await expect(page.getByText('Not today.')).toBeVisible()
  await expect(role).toHaveValue('Member')
})

for (const width of [360, 390, 2560]) {
  const declare = width === 360 ? test : nightly
  declare(`no page is wider than a screen of ${width} pixels`, async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization('Northwind with a name that is rather long')
    await people.member(organization, 'admin')
    await people.call(
      organization.owner,
      'POST',
      '/api/web/engagements',
      { name: 'x'.repeat(200), description: `${'y'.repeat(400)}\n\n    ${'z'.repeat(300)}` },
      organization.id,
    )
    const domain = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example`
    await people.call(organization.owner, 'POST', '/api/web/organizations/current/domains', { domain }, organization.id)
    await page.setViewportSize({ width, height: 800 })
    await people.signIn(page, organization.owner)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const parts = [
      'engagements',
      'api',
      'settings/general',
      'settings/security',
      'settings/domains',
      'settings/domains?claim=true',
      'settings/members',
      'settings/members?invite=true',
      'settings/invitations',
      'settings/api-keys?create=true',
      'settings/ownership',
      'settings/billing',
      'settings/code-hosting',
      'settings/audit',
    ]
    for (const part of sampled(parts, 2)) {
      await visit(page, `/o/${organization.slug}/${part}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        part,
      ).toBeLessThanOrEqual(0)
    }
    if (width > 500) return
    await page.goto(`/o/${organization.slug}/engagements`)
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await page.getByRole('dialog', { name: 'Navigation' }).getByRole('link', { name: 'Settings' }).click()
    await expect(page.getByRole('heading', { name: 'General' })).toBeVisible()
  })
}

nightly('the reference of the API is one click away, in a separate tab', async ({ page, sortie }) => {
  const organization = await sortie.people.organization()
  await sortie.people.signIn(page, organization.owner)
  const opened = page.waitForEvent('popup')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API' }).click()
  const reference = await opened
  await expect(reference).toHaveURL(`${sortie.origin}/api/docs`)
  await expect(reference.getByRole('heading', { level: 1 })).toContainText('Sortie')
})

nightly(
  'a page longer than the screen scrolls with the wheel and the keys; behind a dialog it does not',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const long = { name: 'Long', description: 'One more line.\n\n'.repeat(100) }
    const { body } = await people.call(organization.owner, 'POST', '/api/web/engagements', long, organization.id)
    await page.setViewportSize({ width: 1280, height: 500 })
    await people.signIn(page, organization.owner)
    await page.goto(`/o/${organization.slug}/engagements/${body.data.id}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const scrolled = () => page.evaluate(() => window.scrollY)
    await page.mouse.move(800, 300)
    await page.mouse.wheel(0, 300)
    await expect.poll(scrolled).toBe(300)
    await page.keyboard.press('End')
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight - window.scrollY))
      .toBe(0)
    const there = await scrolled()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.mouse.move(10, 300)
    await page.mouse.wheel(0, -300)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('combobox')).toHaveCount(0)
    expect(await scrolled()).toBe(there)
    expect(there).toBeGreaterThan(1_000)
    await page.mouse.wheel(0, -300)
    await expect.poll(scrolled).toBe(there - 300)
  },
)

nightly('an unknown address shows an error', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.signIn(page, organization.owner, '/nothing/here')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.goto(`/o/${organization.slug}/engagements/eng_01jd7w2v4pf1y8m3c6k9t0r5xz`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.goto(`/o/${organization.slug}/engagements/mistyped`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
