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

const WRITTEN = [
  '10.0.0.1-50',
  '_dmarc.example.com',
  '~~',
  '<target>',
  '*.example.com',
  '*.a.example,*.b.example',
  '#1 <b>',
  'a~b~c',
  '-sV',
  '__init__',
  'x < y > z',
]

test('the list, the page and the preview show what was written: ranges, records, wildcards, placeholders', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const create = (name: string, description: string) => people.call(organization.owner, 'POST', '/api/web/engagements', { name, description }, organization.id)
  for (const [index, text] of WRITTEN.entries()) await create(`Number ${index} of all`, `## Scope\n\n- ${text}\n- more`)
  const whole = await create('All of it', WRITTEN.slice(0, 5).join(' and '))
  await create('With marks', '# Heading\n\n**Scope:** `10.0.0.1-50` and [the plan](https://example.com/plan)')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  for (const [index, text] of WRITTEN.entries()) await expect(page.getByRole('row', { name: `Number ${index} of all` })).toContainText(text)
  await expect(page.getByRole('row', { name: 'With marks' })).toContainText('Scope: 10.0.0.1-50 and the plan')

  const shown = WRITTEN.slice(0, 5).join(' and ')
  await expect(page.getByRole('row', { name: 'All of it' })).toContainText(shown)
  await page.goto(`/o/${organization.slug}/engagements/${whole.body.data.id}`)
  await expect(page.getByRole('main')).toContainText(shown)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Description').fill(`${shown}\n\n<target>\n\nscan a~b~c, **bold**`)
  await page.getByRole('tab', { name: 'Preview' }).click()
  const preview = page.getByRole('tabpanel')
  await expect(preview).toContainText(shown)
  await expect(preview.getByText('<target>', { exact: true })).toBeVisible()
  await expect(preview).toContainText('scan a~b~c, bold')
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
  for (const tag of HOSTILE.filter((text) => /^<(?:script|img|svg)/.test(text))) await expect(page.getByRole('main')).toContainText(tag)
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
