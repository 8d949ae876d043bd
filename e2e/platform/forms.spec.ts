import type { Page } from '@playwright/test'
import { createStage } from '../../server/test/support/app/server-process.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { nightly } from '../support/server/nightly.ts'
import type { People, TestOrganization } from '../support/server/people.ts'
import { startServer } from '../support/server/shared-server.ts'
import { expect, openSortie, test } from '../support/server/sortie.ts'

const TYPED = 'Typed, and not saved yet'
const BACK = 'Your unsaved changes are back.'

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' })
const profileName = (page: Page) => page.getByLabel('Name')

/** On the profile page, with an unsaved name. */
const typeName = async (page: Page, people: People, organization: TestOrganization): Promise<void> => {
  await people.signIn(page, organization.owner, '/account/sessions')
  await page.getByRole('link', { name: 'Profile' }).click()
  await profileName(page).fill(TYPED)
}

/**
 * Waits until the browser has stored a draft with this text, which takes longer than the script needs to reload the
 * page.
 */
const draftStored = (page: Page, text: string): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(
        () =>
          new Promise<string>((resolve, reject) => {
            const opening = indexedDB.open('sortie-drafts')
            opening.addEventListener('error', () => reject(opening.error))
            opening.addEventListener('success', () => {
              const reading = opening.result.transaction('drafts').objectStore('drafts').getAll()
              reading.addEventListener('error', () => reject(reading.error))
              reading.addEventListener('success', () => {
                opening.result.close()
                resolve(JSON.stringify(reading.result))
              })
            })
          }),
      ),
    )
    .toContain(JSON.stringify(text))

/** Accepts the browser's own question, so that the page unloads. */
const letGo = (page: Page) => page.on('dialog', (dialog) => void dialog.accept())

nightly(
  'typed text survives a failed refetch: the page reports it above the text, and nothing is unmounted',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/general`)
    await page.getByLabel('Name').fill(TYPED)
    await page.route('**/api/web/organizations/current', (route) =>
      route.fulfill({
        status: 500,
        json: { error: { code: 'INTERNAL_ERROR', message: 'Something went wrong.', statusCode: 500 } },
      }),
    )
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await expect(page.getByText('This may be out of date.')).toBeVisible()
    await expect(page.getByLabel('Name')).toHaveValue(TYPED)
    await expectAccessible(page)
    await page.unroute('**/api/web/organizations/current')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('This may be out of date.')).toBeHidden()
    await expect(page.getByLabel('Name')).toHaveValue(TYPED)
  },
)

test('links, commands and Back ask before changes are lost; Keep editing stays, Discard leaves for good', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  await typeName(page, people, await people.organization())
  await page.getByRole('link', { name: 'Password' }).click()
  await expect(question(page)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(question(page)).toBeHidden()
  await expect(profileName(page)).toHaveValue(TYPED)
  await page.evaluate(() => window.history.back())
  await question(page).getByRole('button', { name: 'Keep editing' }).click()
  await expect(page).toHaveURL(/account\/profile$/)
  await expect(profileName(page)).toHaveValue(TYPED)
  await page.evaluate(() => window.history.back())
  await question(page).getByRole('button', { name: 'Discard changes' }).click()
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible()
  await page.getByRole('link', { name: 'Profile' }).click()
  await expect(profileName(page)).not.toHaveValue(TYPED)
  await expect(page.getByText(BACK)).toHaveCount(0)
})

nightly(
  'Escape, a click outside the dialog, its cross and Cancel ask once; without changes they close at once',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/domains`)
    const open = page.getByRole('button', { name: 'Claim a domain' })
    const dialog = page.getByRole('dialog', { name: 'Claim a domain' })
    await open.click()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(open).toBeFocused()
    await open.click()
    const field = dialog.getByRole('textbox', { name: 'Domain' })
    await field.fill('contoso.example')
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(10, 400),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      () => dialog.getByRole('button', { name: 'Cancel' }).click(),
    ]) {
      await leave()
      await expect(question(page).getByRole('button', { name: 'Keep editing' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(question(page)).toBeHidden()
      await expect(field).toHaveValue('contoso.example')
    }
    await page.keyboard.press('Escape')
    await question(page).getByRole('button', { name: 'Discard changes' }).click()
    await expect(question(page)).toBeHidden()
    await expect(dialog).toBeHidden()
    await expect(open).toBeFocused()
    await open.click()
    await expect(field).toHaveValue('')
  },
)

test('a draft is restored after a reload and after a crash of the tab, and can be discarded', async ({
  page,
  context,
  sortie,
}) => {
  const { people } = sortie
  await typeName(page, people, await people.organization())
  await draftStored(page, TYPED)
  letGo(page)
  await page.reload()
  await expect(page.getByText(BACK)).toBeVisible()
  await expect(profileName(page)).toHaveValue(TYPED)
  await expectAccessible(page)
  await profileName(page).fill(`${TYPED}, and more`)
  await draftStored(page, `${TYPED}, and more`)
  await page.close({ runBeforeUnload: false })
  const again = await context.newPage()
  await again.goto('/account/profile')
  await expect(profileName(again)).toHaveValue(`${TYPED}, and more`)
  await again.getByRole('button', { name: 'Discard them' }).click()
  await expect(profileName(again)).not.toHaveValue(/Typed/)
  await again.reload()
  await expect(again.getByRole('heading', { name: 'Profile' })).toBeVisible()
  await expect(profileName(again)).not.toHaveValue(/Typed/)
})

nightly('the browser asks before a page with changes is reloaded, and before no other', async ({ page, sortie }) => {
  const { people } = sortie
  await typeName(page, people, await people.organization())
  let asked = 0
  page.on('dialog', (dialog) => {
    asked += 1
    expect(dialog.type()).toBe('beforeunload')
    void dialog.accept()
  })
  await page.reload()
  expect(asked).toBe(1)
  await page.getByRole('button', { name: 'Discard them' }).click()
  await page.reload()
  expect(asked).toBe(1)
})

nightly(
  'an ended session: the user signs in again over the page or after a reload, on the same page, and the text is still there',
  async ({ page, context, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    await typeName(page, people, organization)
    const { password } = organization.owner
    await context.clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.getByLabel('Password', { exact: true }).fill(password)
    await ended.getByRole('button', { name: 'Sign in' }).click()
    await expect(ended).toBeHidden()
    await expect(profileName(page)).toHaveValue(TYPED)

    await context.clearCookies()
    letGo(page)
    await page.reload()
    await page.getByLabel('Email').fill(organization.owner.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL(/account\/profile$/)
    await expect(profileName(page)).toHaveValue(TYPED)
  },
)

nightly(
  'a dead server: the text stays, is restored after the browser was closed, and is saved once the server is back',
  async ({ browser }) => {
    const stage = createStage()
    const context = await browser.newContext()
    try {
      const started = await startServer(stage, {})
      const { people, origin } = openSortie(started)
      const organization = await people.organization()
      const page = await context.newPage()
      await people.signIn(page, organization.owner, `${origin}/account/profile`)
      await profileName(page).fill(TYPED)
      await started.server.kill()
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('The server cannot be reached. What you typed is kept')).toBeVisible()
      await expect(profileName(page)).toHaveValue(TYPED)
      await page.close({ runBeforeUnload: false })

      const again = await stage.server({
        port: started.server.port,
        dataDir: started.dataDir,
        env: { FRONTEND_URL: undefined },
      })
      await again.ready()
      const next = await context.newPage()
      await next.goto(`${origin}/account/profile`)
      await expect(profileName(next)).toHaveValue(TYPED)
      await profileName(next).press('Control+Enter')
      await expect(next.getByText('Saved.')).toBeVisible()
      await next.reload()
      await expect(profileName(next)).toHaveValue(TYPED)
      await expect(next.getByText(BACK)).toHaveCount(0)
    } finally {
      await context.close()
      await stage.close()
    }
  },
)

const storedDrafts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('sortie-drafts')
        opening.addEventListener('error', () => reject(opening.error))
        opening.addEventListener('success', () => {
          const database = opening.result
          if (!database.objectStoreNames.contains('drafts')) return resolve('[]')
          const reading = database.transaction('drafts').objectStore('drafts').getAll()
          reading.addEventListener('success', () => {
            database.close()
            resolve(JSON.stringify(reading.result))
          })
          return undefined
        })
      }),
  )

nightly('drafts are deleted after saving and after signing out, which asks first', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await typeName(page, people, organization)
  await expect.poll(() => storedDrafts(page)).toContain(TYPED)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect.poll(() => storedDrafts(page)).toBe('[]')

  await profileName(page).fill(`${TYPED} again`)
  await expect.poll(() => storedDrafts(page)).toContain(`${TYPED} again`)
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await question(page).getByRole('button', { name: 'Keep editing' }).click()
  await expect(profileName(page)).toHaveValue(`${TYPED} again`)
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await question(page).getByRole('button', { name: 'Discard changes' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to Sortie' })).toBeVisible()
  expect(await storedDrafts(page)).toBe('[]')
})

nightly(
  'signing out in another tab deletes the drafts of this one too, and no other user finds them',
  async ({ page, context, sortie }) => {
    const { people } = sortie
    const [organization, elsewhere] = [await people.organization(), await people.organization('Elsewhere')]
    await typeName(page, people, organization)
    await expect.poll(() => storedDrafts(page)).toContain(TYPED)
    const other = await context.newPage()
    await other.goto('/account/sessions')
    await other.getByRole('button', { name: /^Account: / }).click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in to Sortie' })).toBeVisible()
    expect(await storedDrafts(page)).toBe('[]')
    await people.signIn(page, elsewhere.owner, '/account/profile')
    await expect(profileName(page)).toHaveValue(elsewhere.owner.name)
  },
)

test('passwords, codes and the values of keys are never stored', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const secret = 'a password that must not be stored'
  await people.signIn(page, organization.owner, '/account/password')
  for (const label of ['Current password', 'New password again']) await page.getByLabel(label).fill(secret)
  await page.getByLabel('New password', { exact: true }).fill(secret)
  await page.goto(`/o/${organization.slug}/settings/ownership`)
  await page.goto(`/o/${organization.slug}/settings/api-keys?create=true`)
  await page.getByLabel('Name').fill('ci')
  await expect.poll(() => storedDrafts(page)).toContain('"ci"')
  await page.getByRole('button', { name: 'Everything' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  const value = (await page.getByRole('status', { name: 'Value of the key' }).textContent()) ?? ''
  expect(value).toMatch(/^svc_live_/)
  const stored = await storedDrafts(page)
  expect(stored).not.toContain(value)
  expect(stored).not.toContain(secret)
})

nightly('a refusal moves the focus to the first invalid field, and Ctrl+Enter submits', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/domains?claim=true`)
  const field = page.getByRole('textbox', { name: 'Domain' })
  await field.fill('no domain')
  await field.press('Control+Enter')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toBeFocused()
})
