import { engagementWithFindings } from '../support/findings.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { addProof, day, itemsOf, noteItem, planRetest, publishReviewed, test } from '../support/retests.ts'
import { expect } from '../support/server/sortie.ts'

test('a published finding is retested: its stored request runs again, the new response is next to the recorded one, and its outcome is its status', async ({
  page,
  sortie,
  shop,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, id, add, ask, read } = await engagementWithFindings(people, organization)
  const found = await add({
    title: 'Users are listed without sign-in',
    severity: 'high',
    summary: 'Anyone reads the list of users.',
  })
  await ask('POST', `/findings/${found.id}/affected`, { assets: [`${shop.origin}/api/users`] })
  const request = (
    await ask('POST', '/api-requests', { engagementId: id, name: 'List users', url: `${shop.origin}/api/users` })
  ).data
  await ask('POST', `/api-requests/${request.id}/execute`, {})

  await people.signIn(page, organization.owner, `${path}/findings/${found.id}`)
  await addProof(page, 'List users', () => expectAccessible(page))
  await publishReviewed(page)
  await planRetest(page, 1, 'After the release', () => expectAccessible(page))
  await expect(page.getByLabel('Recorded response')).toContainText('"role": "admin"')
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByText('which count as testing dates')).toBeVisible()

  shop.repair()
  await page.keyboard.press('r')
  await expect(page.getByText('Status 200 became 403. The body differs.')).toBeVisible()
  const responses = page.getByRole('group', { name: 'Responses' })
  await expect(responses).toContainText('"role": "admin"')
  await expect(responses).toContainText('"error": "forbidden"')
  await expectAccessible(page)

  await page.keyboard.press('f')
  await expect(page.getByText(`Fixed: ${shop.origin}/api/users`)).toBeVisible()
  await expect(page.getByText('1 of 1 tested')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('0 of 1 tested')).toBeVisible()
  expect((await read(found.id)).status).toBe('open')
  await page.keyboard.press('f')
  await noteItem(page, 'Answers 403 now.')
  await expect(page.getByText('1 of 1 tested')).toBeVisible()
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible()
  await expect(page.getByText('Answers 403 now.')).toBeVisible()
  expect((await read(found.id)).status).toBe('fixed')
  await page.getByRole('button', { name: 'Reopen' }).click()
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(page.getByText('Also testing dates')).toContainText('After the release')
  await page.goBack()
  await page.getByRole('link', { name: '1 Users are listed without sign-in' }).click()
  await expect(page.getByRole('group', { name: 'Review' })).toContainText('Fixed')
})

test('two people work through one retest by keyboard, and see what the other does; what is left is marked when it ends', async ({
  browser,
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, id, add, ask } = await engagementWithFindings(people, organization)
  for (const title of ['Old TLS versions', 'Weak password policy']) {
    const { id: findingId } = await add({ title })
    await ask('POST', `/findings/${findingId}/affected`, {
      assets: ['a', 'b', 'c'].map((host) => `${host}.contoso.example`),
    })
  }
  const colleague = await people.member(organization, 'member')
  await people.signIn(page, organization.owner, `${path}/findings`)
  const grid = page.getByRole('grid', { name: 'Findings' })
  for (const title of ['Old TLS versions', 'Weak password policy'])
    await grid.getByRole('row').filter({ hasText: title }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Plan a retest' }).click()
  await page
    .getByRole('dialog', { name: 'Plan a retest of 2 findings' })
    .getByRole('button', { name: 'Plan retest' })
    .click()
  await expect(itemsOf(page)).toHaveCount(6)
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByRole('button', { name: 'Finish' })).toBeVisible()

  const other = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await people.signIn(other, colleague, new URL(page.url()).pathname)
  await expect(itemsOf(other)).toHaveCount(6)
  // Each outcome opens the next item to do.
  for (const key of ['f', 'p', 'n']) await page.keyboard.press(key)
  await expect(itemsOf(page).nth(3)).toHaveAttribute('aria-current', 'true')
  await expect(other.getByText('3 of 6 tested')).toBeVisible()
  await expect(itemsOf(other).nth(0)).toContainText('Fixed')
  await other.keyboard.press('j')
  await other.keyboard.press('j')
  await other.keyboard.press('o')
  await expect(itemsOf(other).nth(2)).toContainText('Still open')
  await expect(itemsOf(page).nth(2)).toContainText('Still open')
  await page.getByRole('button', { name: 'To do (3)' }).click()
  await expect(itemsOf(page)).toHaveCount(3)
  await page.keyboard.press('f')
  await expect(itemsOf(page)).toHaveCount(2)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByRole('dialog', { name: 'Finish with 2 items left?' })).toContainText('marked as not retested')
  await page.getByRole('button', { name: 'Mark as not retested and finish' }).click()
  await expect(other.getByText('2 not retested')).toBeVisible()
  await expect(other.getByRole('group', { name: 'Outcome' })).toHaveCount(0)
  expect((await ask('GET', `/retests?engagementId=${id}`)).data[0].counts).toMatchObject({
    fixed: 2,
    partly_fixed: 1,
    open: 1,
    not_retested: 2,
    none: 0,
  })
  await other.context().close()
})

test('a refused run says why; a completed engagement sends only on the dates of a running retest, and an archived one shows the retest read-only', async ({
  page,
  sortie,
  shop,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, id, add, ask } = await engagementWithFindings(people, organization)
  const request = (await ask('POST', '/api-requests', { engagementId: id, name: 'Proof', url: shop.origin })).data
  const found = await add({ title: 'Old TLS versions', proofs: [{ type: 'request', id: request.id }] })
  const retest = (
    await ask('POST', '/retests', {
      engagementId: id,
      name: 'Spring',
      findingIds: [found.id],
      startsOn: day(3),
      endsOn: day(4),
    })
  ).data
  await ask('PATCH', `/retests/${retest.id}`, { state: 'running' })
  await ask('PATCH', `/engagements/${id}`, { status: 'completed' })
  await people.signIn(page, organization.owner, `${path}/retests`)
  await page.getByRole('link', { name: 'Spring' }).click()
  await expect(page.getByRole('button', { name: 'Run again' })).toBeVisible()
  await page.keyboard.press('r')
  await expect(page.getByRole('alert')).toContainText('Nothing was sent')
  await expect(page.getByRole('alert')).toContainText('outside the testing hours')
  expect(shop.received).toHaveLength(0)
  await ask('PATCH', `/retests/${retest.id}`, { startsOn: day(-1), endsOn: day(1) })
  await page.keyboard.press('r')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByLabel('Recorded response')).toContainText('HTTP/1.1 200')
  expect(shop.received).toHaveLength(1)
  await ask('PATCH', `/engagements/${id}`, { status: 'archived' })
  await page.reload()
  await expect(itemsOf(page)).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Run again' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Finish' })).toHaveCount(0)
  await expect(page.getByRole('group', { name: 'Outcome' })).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
})
