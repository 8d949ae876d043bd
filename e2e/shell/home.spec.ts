import { expectAccessible } from '../support/pages/accessible.ts'
import { expect, test } from '../support/server/sortie.ts'

test('home leads through the first steps once, on every device; what was done and skipped stays so', async ({
  page,
  browser,
  sortie,
}) => {
  const { people, origin } = sortie
  const organization = await people.organization()
  await people.signIn(page, organization.owner)
  await expect(page).toHaveURL(`${origin}/o/${organization.slug}/home`)
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps).toContainText('First steps, 0 of 4 done')
  await expectAccessible(page)
  await steps.getByRole('button', { name: 'Skip: Choose your password' }).click()
  await expect(steps).toContainText('First steps, 1 of 4 done')
  await steps.getByRole('link', { name: 'Create engagement' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.goto('/')
  await expect(steps.getByText('Done', { exact: true })).toBeVisible()
  await steps.getByRole('button', { name: 'Skip all' }).click()
  await expect(steps).toBeHidden()

  const context = await browser.newContext({ baseURL: origin })
  const otherPage = await context.newPage()
  await people.signIn(otherPage, organization.owner)
  await expect(otherPage.getByRole('region', { name: 'Inbox' })).toBeVisible()
  await expect(otherPage.getByRole('region', { name: 'First steps' })).toHaveCount(0)
  await context.close()
})

test('home shows my tasks, what is due, engagements with their testing hours, and what I visited; it follows changes by others', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const as = (method: string, path: string, body?: unknown) =>
    people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
  const me = (await as('GET', '/account')).body.data.id
  const engagementId = (await as('POST', '/engagements', { name: 'Perimeter' })).body.data.id
  const today = new Date().getUTCDay() || 7
  const later = ((today - 1 + 3) % 7) + 1
  const testingHours = { timeZone: 'UTC', windows: [{ days: [later], from: '09:00', to: '10:00' }] }
  await as('PATCH', `/engagements/${engagementId}/details`, { testingHours })
  await as('POST', '/tasks', {
    engagementId,
    title: 'Look at the login',
    assigneeId: me,
    dueOn: new Date().toISOString().slice(0, 10),
  })
  await people.signIn(page, organization.owner)
  const main = page.getByRole('main')
  await expect(main.getByText('Look at the login')).toHaveCount(1)
  await expect(main.getByRole('region', { name: 'Due this week' })).toContainText('Look at the login')
  const engagements = main.getByRole('region', { name: 'Engagements under way' })
  await expect(engagements).toContainText(/Testing closed, opens (Mon|Tue|Wed|Thu|Fri|Sat|Sun) 09:00/)
  await as('POST', '/tasks', { engagementId, title: 'Ask for the VPN', assigneeId: me })
  await expect(main.getByRole('region', { name: 'My other tasks' })).toContainText('Ask for the VPN')

  const { id: findingId } = (
    await as('POST', '/findings', { engagementId, title: 'Weak password', severity: 'high', authorId: me })
  ).body.data
  const visited = page.waitForResponse(
    (response) => response.url().endsWith('/home/visits') && (response.request().postData() ?? '').includes(findingId),
  )
  await main
    .getByRole('region', { name: 'My draft findings' })
    .getByRole('link', { name: /Weak password/ })
    .click()
  expect((await visited).status()).toBe(200)
  await page.goBack()
  await expect(
    main.getByRole('region', { name: 'Recently visited' }).getByRole('link', { name: /Weak password/ }),
  ).toBeVisible()

  await engagements.getByRole('link', { name: /Perimeter/ }).click()
  const next = main.getByRole('list').filter({ hasText: 'Set the scope' })
  await expect(next.getByRole('listitem')).toHaveCount(5)
  await page.goBack()
  await expect(
    main.getByRole('region', { name: 'Recently visited' }).getByRole('link', { name: /Perimeter/ }),
  ).toBeVisible()
})
