import { expectAccessible } from '../support/pages/accessible.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test('C7: a key is shown once, works, and answers 401 once it is deleted', async ({ page, sortie }) => {
  const { people, origin } = sortie
  const organization = await people.organization()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/api-keys`)
  await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Create API key' }).first().click()
  await page.getByLabel('Name').fill('ci pipeline')
  await page.getByRole('button', { name: 'Read-only' }).click()
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(6)
  await page.getByRole('button', { name: 'Create key' }).click()
  const value = (await page.getByRole('status', { name: 'Value of the key' }).textContent()) ?? ''
  expect(value).toMatch(/^svc_live_[0-9A-Za-z]{49}$/)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  expect(await page.content()).not.toContain(value)
  await page.reload()
  await expect(page.getByRole('row', { name: /ci pipeline/ })).toContainText('read-only')
  expect(await page.content()).not.toContain(value)

  const ask = () => fetch(`${origin}/api/v1/organizations/current`, { headers: { authorization: `Bearer ${value}` } })
  expect((await ask()).status).toBe(200)
  await page.getByRole('button', { name: 'Actions for ci pipeline' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Delete key' })).toBeDisabled()
  await dialog.getByRole('textbox').fill('ci pipeline')
  await dialog.getByRole('button', { name: 'Delete key' }).click()
  await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible()
  expect((await ask()).status).toBe(401)
})

nightly('a successor starts with the scopes of its predecessor', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.call(
    organization.owner,
    'POST',
    '/api/web/api-keys',
    { name: 'deploy', environment: 'test', scopes: ['wiki:read', 'tasks:write'] },
    organization.id,
  )
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/api-keys`)
  await page.getByRole('button', { name: 'Actions for deploy' }).click()
  await page.getByRole('menuitem', { name: 'Create successor' }).click()
  await expect(page.getByLabel('Name')).toHaveValue('deploy 2')
  await expect(page.getByRole('checkbox', { name: 'Read wiki pages' })).toBeChecked()
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(2)
  await expect(page.getByRole('radio', { name: 'Test' })).toBeChecked()
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByRole('status', { name: 'Value of the key' })).toContainText('svc_test_')
})

nightly(
  'C7: a new key stays on the page until the user confirms that it is stored: through Back, Escape, a click outside, a command and a reload',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('button', { name: 'Create API key' }).first().click()
    await page.getByLabel('Name').fill('ci pipeline')
    await page.getByRole('button', { name: 'Read-only' }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    const value = page.getByRole('status', { name: 'Value of the key' })
    const shown = (await value.textContent()) ?? ''
    expect(shown).toMatch(/^svc_live_/)

    await page.keyboard.press('Escape')
    await page.mouse.click(5, 400)
    await expect(value).toHaveText(shown)
    for (let press = 0; press < 3; press++) {
      await page.evaluate(() => window.history.back())
      await expect(page.getByRole('alert').filter({ hasText: 'Store it, then confirm below.' })).toBeVisible()
      await expect(value).toHaveText(shown)
    }
    await expect(page).toHaveURL(/\/settings\/api-keys/)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('audit log')
    await page.keyboard.press('Enter')
    await expect(value).toHaveText(shown)
    const asked = page.waitForEvent('dialog')
    const reloading = page.evaluate(() => window.location.reload())
    const question = await asked
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()
    await reloading
    await expect(value).toHaveText(shown)

    await page.getByRole('button', { name: 'I have stored it' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByRole('row', { name: /ci pipeline/ })).toBeVisible()
    await page.evaluate(() => window.history.back())
    await expect(page.getByRole('heading', { name: 'General' })).toBeVisible()
  },
)

nightly('C7: Back and Escape during the creation of the key do not lose it', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'API keys' }).click()
  let answer = () => undefined as void
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/web/api-keys', async (route) => {
    if (route.request().method() === 'POST') await answered
    await route.continue()
  })
  await page.getByRole('button', { name: 'Create API key' }).first().click()
  await page.getByLabel('Name').fill('slow pipeline')
  await page.getByRole('button', { name: 'Read-only' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByRole('button', { name: 'Create key' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.evaluate(() => window.history.back())
  await expect(page.getByRole('alert')).toBeVisible()
  answer()
  await expect(page.getByRole('status', { name: 'Value of the key' })).toContainText('svc_live_')
})

nightly('a key has access to the chosen engagements: the open ones by default, or a list', async ({ page, sortie }) => {
  const { people, origin } = sortie
  const organization = await people.organization()
  const make = (name: string, details = {}) =>
    people.call(organization.owner, 'POST', '/api/web/engagements', { name, details }, organization.id)
  await make('Open perimeter')
  await make('Closed red team', { access: 'team' })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/api-keys`)
  const createKey = async (name: string, choose: () => Promise<void>): Promise<string[]> => {
    await page.getByRole('button', { name: 'Create API key' }).first().click()
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Read-only' }).click()
    await choose()
    await page.getByRole('button', { name: 'Create key' }).click()
    const value = await page.getByRole('status', { name: 'Value of the key' }).textContent()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    const answer = await fetch(`${origin}/api/v1/engagements`, { headers: { authorization: `Bearer ${value}` } })
    const { data } = (await answer.json()) as { data: { name: string }[] }
    return data.map((engagement) => engagement.name).toSorted()
  }
  expect(await createKey('open', async () => undefined)).toEqual(['Open perimeter'])
  expect(await createKey('all', () => page.getByRole('radio', { name: 'Every engagement' }).check())).toEqual([
    'Closed red team',
    'Open perimeter',
  ])
  const listed = await createKey('one', async () => {
    await page.getByRole('radio', { name: 'Only these' }).check()
    await expect(page.getByRole('button', { name: 'Create key' })).toBeDisabled()
    await page.getByRole('checkbox', { name: 'Closed red team' }).check()
    await expectAccessible(page)
  })
  expect(listed).toEqual(['Closed red team'])
  await expect(page.getByRole('row', { name: /^open/ })).toContainText('Shared')
  await expect(page.getByRole('row', { name: /^one/ })).toContainText('One')
})
