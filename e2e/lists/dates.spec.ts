import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/pages/accessible.ts'
import { chooseFrom } from '../support/pages/choice.ts'
import { visit } from '../support/pages/visit.ts'
import { expect, type Sortie, test } from '../support/server/sortie.ts'

const prepare = async ({ people }: Sortie) => {
  const organization = await people.organization()
  const call = async (method: 'GET' | 'POST', path: string, body?: object) =>
    (await people.call(organization.owner, method, `/api/web${path}`, body, organization.id)).body.data
  const { id: engagementId } = await call('POST', '/engagements', {
    name: 'Contoso',
    details: { startsOn: '2031-02-03', endsOn: '2031-12-12' },
  })
  return {
    organization,
    engagementId: engagementId as string,
    call,
    home: `/o/${organization.slug}/engagements/${engagementId}`,
  }
}

const openDialog = async (page: Page, path: string) => {
  await visit(page, path)
  await page.keyboard.press('c')
  return page.getByRole('dialog', { name: 'New engagement' })
}

test('an account chooses how dates and times are written, everywhere and in the fields', async ({ page, sortie }) => {
  const { organization, home, call, engagementId } = await prepare(sortie)
  await sortie.people.signIn(page, organization.owner, home)
  const main = page.getByRole('main')
  await expect(main.getByLabel('First day')).toHaveValue('3 Feb 2031')

  await visit(page, '/account/profile')
  await chooseFrom(page.getByLabel('Dates'), '2031-02-03')
  await chooseFrom(page.getByLabel('Times'), '2:05 PM')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()

  await visit(page, home)
  await expect(main.getByLabel('First day')).toHaveValue('2031-02-03')
  await expect(main).not.toContainText('Feb 2031')
  await visit(page, `${home}/operations`)
  await page.getByRole('button', { name: 'Add entry' }).first().click()
  await expect(page.getByRole('dialog').getByLabel('From')).toHaveValue(/^\d{4}-\d{2}-\d{2}, \d{1,2}:\d{2} [AP]M$/)
  await page.getByRole('dialog').getByLabel('From').fill('2031-02-03, 2:05 pm')
  await page.getByRole('dialog').getByLabel('Address', { exact: true }).fill('203.0.113.5')
  await page.getByRole('dialog').getByRole('button', { name: 'Add entry' }).focus()
  await expect(page.getByRole('dialog').getByLabel('From')).toHaveValue('2031-02-03, 2:05 PM')
  expect((await call('GET', `/engagements/${engagementId}/details`)).startsOn).toBe('2031-02-03')
})

test('a day is chosen from the calendar by keyboard: arrows, Page Down, Home, Enter; Escape changes nothing', async ({
  page,
  sortie,
}) => {
  const { organization } = await prepare(sortie)
  await sortie.people.signIn(page, organization.owner)
  const dialog = await openDialog(page, `/o/${organization.slug}/engagements`)
  const first = dialog.getByLabel('First day')
  await first.fill('3 feb 2031')
  await page.keyboard.press('ArrowDown')
  const calendar = page.getByRole('dialog', { name: 'Choose a day' })
  await expect(calendar.getByRole('button', { name: /^Monday,? 3 February 2031$/ })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('ArrowRight')
  await expect(calendar.getByRole('button', { name: /^Tuesday,? 4 February 2031$/ })).toBeFocused()
  await page.keyboard.press('PageDown')
  await expect(calendar.getByRole('button', { name: /^Tuesday,? 4 March 2031$/ })).toBeFocused()
  await expect(calendar.getByRole('heading', { name: 'March 2031' })).toBeVisible()
  await page.keyboard.press('Shift+PageDown')
  await page.keyboard.press('Home')
  await expect(calendar.getByRole('button', { name: /^Monday,? 1 March 2032$/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(calendar).toBeHidden()
  await expect(dialog).toBeVisible()
  await expect(first).toHaveValue('3 Feb 2031')

  await first.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(calendar).toBeHidden()
  await expect(first).toHaveValue('10 Feb 2031')
  await expect(first).toBeFocused()
})

test('a day is chosen with a finger on a phone, and cleared', async ({ browser, sortie }) => {
  const { organization } = await prepare(sortie)
  const context = await browser.newContext({
    baseURL: sortie.origin,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await sortie.people.signIn(page, organization.owner, `/o/${organization.slug}/engagements?create=true`)
  const dialog = page.getByRole('dialog', { name: 'New engagement' })
  await dialog.getByLabel('Last day').fill('2031-02-03')
  await dialog.getByRole('button', { name: 'Choose a day' }).nth(1).tap()
  const calendar = page.getByRole('dialog', { name: 'Choose a day' })
  const box = await calendar.boundingBox()
  expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true)
  expect(
    (await calendar.getByRole('button', { name: /^Friday,? 14 February 2031$/ }).boundingBox())?.height,
  ).toBeGreaterThanOrEqual(44)
  await calendar.getByRole('button', { name: 'Next month' }).tap()
  await calendar.getByRole('button', { name: /^Friday,? 14 March 2031$/ }).tap()
  await expect(dialog.getByLabel('Last day')).toHaveValue('14 Mar 2031')
  await dialog.getByRole('button', { name: 'Choose a day' }).nth(1).tap()
  await calendar.getByRole('button', { name: 'Clear' }).tap()
  await expect(dialog.getByLabel('Last day')).toHaveValue('')
  await context.close()
})

test('a text that names no day is marked when the field is left, and no form sends it', async ({ page, sortie }) => {
  const { organization, call } = await prepare(sortie)
  await sortie.people.signIn(page, organization.owner)
  const dialog = await openDialog(page, `/o/${organization.slug}/engagements`)
  await dialog.getByLabel('Name').fill('Fabrikam')
  const first = dialog.getByLabel('First day')
  for (const text of ['31 Feb 2031', '3/4/2031', 'soon']) {
    await first.fill(text)
    await dialog.getByRole('button', { name: 'Create engagement' }).click()
    await expect(dialog.getByText('Enter a day such as 3 Feb 2031.')).toBeVisible()
    await expect(first).toBeFocused()
    await expect(first).toHaveValue(text)
  }
  await expectAccessible(page)
  await first.fill('03.02.2031')
  await dialog.getByLabel('Last day').fill('Feb 5, 2031')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
  const created = (await call('GET', '/engagement-summaries?q=Fabrikam')) as { startsOn: string; endsOn: string }[]
  expect(created.map(({ startsOn, endsOn }) => [startsOn, endsOn])).toEqual([['2031-02-03', '2031-02-05']])
})
