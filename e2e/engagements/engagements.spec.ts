import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test('an engagement is created, described in Markdown, changed, completed, archived and found by its status', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await page.getByRole('button', { name: 'New engagement' }).first().click()
  await page.getByLabel('Name').fill('Contoso external')
  await page.getByLabel('Description').fill('## Scope\n\n- [x] `10.0.0.0/24`\n\n| host | note |\n|---|---|\n| a | b |')
  await page.getByRole('button', { name: 'Create engagement' }).click()
  await expect(page.getByRole('heading', { name: 'Contoso external' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Scope' })).toBeVisible()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page).toHaveURL(/\?edit=true$/)
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.getByLabel('Name').fill('Contoso internal')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Contoso internal' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Complete' }).click()
  await page.getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByText('This engagement is archived')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeHidden()
  await page.getByRole('link', { name: 'All engagements' }).click()
  await page.getByLabel('Filter').fill('status:archived')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/status=archived/)
  await expect(page.getByRole('link', { name: 'Contoso internal' })).toBeVisible()
  await page.getByRole('button', { name: 'Status: Archived' }).click()
  await page.getByRole('checkbox', { name: /^Active/ }).check()
  await page.getByRole('checkbox', { name: /^Archived/ }).uncheck()
  await expect(page).toHaveURL(/status=active/)
  await expect(page.getByRole('heading', { name: 'No engagement matches these filters' })).toBeVisible()
})

nightly(
  'a retest starts as a clone with the chosen parts, from the settings and by keyboard',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements?create=true`)
    await page.getByLabel('Name').fill('Contoso 2026')
    await page.getByRole('button', { name: 'Create engagement' }).click()
    await expect(page.getByRole('heading', { name: 'Contoso 2026' })).toBeVisible()
    await page.goto(`${page.url()}/settings`)
    await page.getByRole('button', { name: 'Clone the engagement' }).click()
    await expect(page).toHaveURL(/clone=true/)
    await expect(page.getByLabel('Name')).toBeFocused()
    await expect(page.getByLabel('Name')).toHaveValue('Contoso 2026 retest')
    await expect(page.getByRole('checkbox', { name: 'Targets' })).toBeChecked()
    await page.getByRole('checkbox', { name: 'Tasks, as open ones' }).focus()
    await page.keyboard.press('Space')
    const sent = page.waitForRequest((request) => request.url().endsWith('/clone'))
    await page.keyboard.press('Control+Enter')
    expect((await sent).postDataJSON()).toEqual({
      name: 'Contoso 2026 retest',
      include: expect.arrayContaining(['details', 'scope', 'targets', 'vulnerabilities', 'tasks']),
    })
    await expect(page.getByRole('heading', { name: 'Contoso 2026 retest' })).toBeVisible()
    await expect(page).not.toHaveURL(/clone=true|settings/)
  },
)

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

nightly(
  'the page and the preview show the text as it was written: ranges, records, wildcards, placeholders',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const create = (name: string, description: string) =>
      people.call(organization.owner, 'POST', '/api/web/engagements', { name, description }, organization.id)
    const whole = await create('All of it', WRITTEN.slice(0, 5).join(' and '))
    const shown = WRITTEN.slice(0, 5).join(' and ')
    await people.signIn(page, organization.owner, '/account/profile')
    await page.goto(`/o/${organization.slug}/engagements/${whole.body.data.id}`)
    await expect(page.getByRole('main')).toContainText(shown)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Description').fill(`${shown}\n\n<target>\n\nscan a~b~c, **bold**`)
    await page.getByRole('tab', { name: 'Preview' }).click()
    const preview = page.getByRole('tabpanel', { name: 'Preview' })
    await expect(preview).toContainText(shown)
    await expect(preview.getByText('<target>', { exact: true })).toBeVisible()
    await expect(preview).toContainText('scan a~b~c, bold')
  },
)

const HOSTILE = [
  '<script>window.__ran = 1</script>',
  '<img src=x onerror="window.__ran = 1">',
  '[a link](javascript:window.__ran=1)',
  '![an image](https://elsewhere.example/pixel.png)',
  '<svg onload="window.__ran = 1"></svg>',
  '[another](data:text/html,<script>window.__ran=1</script>)',
  '<https://elsewhere.example/%22onmouseover=%22window.__ran=1>',
]

nightly('a description with payloads shows them and runs none', async ({ page, sortie }) => {
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
  for (const tag of HOSTILE.filter((text) => /^<(?:script|img|svg)/.test(text)))
    await expect(page.getByRole('main')).toContainText(tag)
  expect(await page.evaluate(() => '__ran' in window)).toBe(false)
  const main = page.getByRole('main')
  await expect(main.locator('script, svg[onload], [onerror], [href^="javascript:"], [href^="data:"]')).toHaveCount(0)
  await expect(main.locator('img')).toHaveCount(0)
})
