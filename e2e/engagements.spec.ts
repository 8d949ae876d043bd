import { expect, test } from './support/sortie.ts'

test('an engagement is created, described in Markdown, changed, completed, archived and found by its status', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await page.getByRole('button', { name: 'New engagement' }).first().click()
  await page.getByLabel('Name').fill('Contoso external')
  await page.getByLabel('Description').fill('## Scope\n\n- [x] `10.0.0.0/24`\n\n| host | note |\n|---|---|\n| a | b |')
  await page.getByRole('button', { name: 'Create engagement' }).click()
  await expect(page.getByRole('heading', { name: 'Contoso external' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Scope' })).toBeVisible()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Name').fill('Contoso internal')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Contoso internal' })).toBeVisible()
  await page.getByRole('button', { name: 'Complete' }).click()
  await page.getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible()
  await page.getByRole('link', { name: 'Engagements' }).click()
  await page.getByText('Archived', { exact: true }).first().click()
  await expect(page).toHaveURL(/status=archived/)
  await expect(page.getByRole('link', { name: 'Contoso internal' })).toBeVisible()
  await page.getByText('Active', { exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'No engagement has this status' })).toBeVisible()
})

test('a description that somebody else changed meanwhile is not overwritten, and both texts are shown', async ({ page, otherPage, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const created = await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Contested', description: 'first' }, organization.id)
  const path = `/o/${organization.slug}/engagements/${created.body.data.id}`
  for (const one of [page, otherPage]) {
    await people.signIn(one, organization.owner, path)
    await one.getByRole('button', { name: 'Edit' }).click()
  }
  await otherPage.getByLabel('Description').fill('theirs')
  await otherPage.getByRole('button', { name: 'Save' }).click()
  await expect(otherPage.getByText('theirs')).toBeVisible()
  await page.getByLabel('Description').fill('mine')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toContainText('Somebody else changed this engagement')
  await expect(page.getByLabel('Saved now')).toHaveValue('theirs')
  await expect(page.getByLabel('Description')).toHaveValue('mine')
  await page.getByRole('button', { name: /let me save mine/ }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('mine')).toBeVisible()
})

const HOSTILE = [
  '<script>window.__ran = 1</script>',
  '<img src=x onerror="window.__ran = 1">',
  '[a link](javascript:window.__ran=1)',
  '![an image](https://elsewhere.example/pixel.png)',
  '<svg onload="window.__ran = 1"></svg>',
  '[another](data:text/html,<script>window.__ran=1</script>)',
  '<https://elsewhere.example/%22onmouseover=%22window.__ran=1>',
]

test('a description that holds payloads shows them and runs none', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const created = await people.call(
    organization.owner,
    'POST',
    '/api/web/engagements',
    { name: '<img src=x onerror=window.__ran=1>', description: HOSTILE.join('\n\n') },
    organization.id,
  )
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${created.body.data.id}`)
  await expect(page.getByText('a link')).toBeVisible()
  expect(await page.evaluate(() => '__ran' in window)).toBe(false)
  const main = page.getByRole('main')
  await expect(main.locator('script, svg[onload], [onerror], [href^="javascript:"], [href^="data:"]')).toHaveCount(0)
  await expect(main.locator('img')).toHaveCount(0)
})

test('sort and page are in the address, and come back with it', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  for (let index = 1; index <= 27; index++) {
    await people.call(organization.owner, 'POST', '/api/web/engagements', { name: `Engagement ${String(index).padStart(2, '0')}` }, organization.id)
  }
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await page.getByRole('button', { name: 'Name' }).click()
  await expect(page.getByRole('row').nth(1)).toContainText('Engagement 01')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(page).toHaveURL(/page=2/)
  await page.reload()
  await expect(page.getByRole('row').nth(2)).toContainText('Engagement 27')
  await page.goBack()
  await expect(page.getByRole('row').nth(1)).toContainText('Engagement 01')
})
