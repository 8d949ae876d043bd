import { pressSequence } from '../support/pages/keys.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test('inside an engagement the sidebar leads to its pages, to another engagement, and back', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const create = (name: string) =>
    people.call(
      organization.owner,
      'POST',
      '/api/web/engagements',
      { name, details: { startsOn: '2020-01-01', endsOn: '2099-12-31' } },
      organization.id,
    )
  await create('Fabrikam')
  const { id } = (await create('Contoso')).body.data
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${id}`)
  const sidebar = page.getByRole('complementary', { name: 'Navigation' })
  await expect(sidebar).toContainText('Active')
  await expect(sidebar).toContainText(/\d+ days left/)
  for (const name of ['Files', 'Activity', 'Settings', 'Overview']) {
    await sidebar.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: name === 'Overview' ? 'Contoso' : name })).toBeVisible()
    await expect(sidebar.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page')
    await expect(sidebar.locator('[aria-current="page"]')).toHaveCount(1)
  }
  await expect(page.getByRole('main')).toHaveCount(1)
  await sidebar.getByRole('button', { name: 'Engagement: Contoso' }).click()
  await page.getByLabel('Find an engagement').fill('fabri')
  await page.getByRole('option', { name: 'Fabrikam' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Fabrikam' })).toBeVisible()

  await pressSequence(page, ['g', 'f'])
  await expect(page.getByRole('heading', { level: 1, name: 'Files' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText('EngagementsFabrikam')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Activity')
  await page.keyboard.press('Escape')
  await sidebar.getByRole('link', { name: 'All engagements' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Engagements' })).toBeVisible()
})

test('details are changed, shown on the overview and reported in the activity; Back leaves the editor', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  const { id } = (
    await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Contoso' }, organization.id)
  ).body.data
  const path = `/o/${organization.slug}/engagements/${id}`
  await people.signIn(page, organization.owner, path)
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Contoso' })).toBeVisible()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Client').fill('Contoso Ltd.')
  await page.getByLabel('Kind').selectOption('network')
  await page.getByLabel('First day').fill('2026-12-01')
  await page.getByLabel('Last day').fill('2026-12-12')
  await page.getByRole('switch', { name: 'Only at certain hours' }).press('Space')
  await page.getByRole('group', { name: 'Hours 1' }).getByLabel('To').fill('06:00')
  await page.getByRole('combobox', { name: 'Lead' }).click()
  await page.getByRole('option', { name: member.name }).click()
  await page.getByRole('button', { name: 'Add a contact' }).click()
  const contact = page.getByRole('group', { name: 'Contact 1' })
  await contact.getByLabel('Name').fill('Noa Night')
  await contact.getByLabel('Phone').fill('+49 30 123456')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Overview' }).click()
  const main = page.getByRole('main')
  for (const text of ['Contoso Ltd.', 'Network', 'Mon–Fri 09:00–06:00 (next day)', member.name, 'Noa Night'])
    await expect(main).toContainText(text)
  await expect(main.getByRole('link', { name: '+49 30 123456' })).toHaveAttribute('href', 'tel:+4930123456')
  // The last loaded part moves the parts below it.
  await expect(main).toContainText('No target is in scope yet.')
  await page.getByRole('link', { name: 'All activity' }).click()
  await expect(page.getByRole('table', { name: 'Activity' })).toContainText(organization.owner.name)
})

test('files are uploaded with their progress, listed, downloaded unchanged, and deleted after a confirmation', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id } = (
    await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Contoso' }, organization.id)
  ).body.data
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${id}/files`)
  await expect(page.getByRole('heading', { name: 'No files yet' })).toBeVisible()
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles([
      { name: 'capture.pcap', mimeType: 'application/octet-stream', buffer: Buffer.alloc(300_000, 1) },
      { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('a note') },
    ])
  const queue = page.getByRole('list', { name: 'Uploads' })
  await expect(queue.getByText('Uploaded')).toHaveCount(2)
  await expect(
    queue.getByRole('listitem').filter({ hasText: 'empty.txt' }).getByRole('button', { name: 'Try again' }),
  ).toBeVisible()
  const grid = page.getByRole('grid', { name: 'Files' })
  await expect(grid.getByRole('row', { name: /capture\.pcap/ })).toContainText('300 kB')
  const download = page.waitForEvent('download')
  await grid.getByRole('link', { name: 'notes.txt' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('notes.txt')
  const parts: Buffer[] = []
  for await (const part of await file.createReadStream()) parts.push(part as Buffer)
  expect(Buffer.concat(parts).toString()).toBe('a note')

  await grid
    .getByRole('row', { name: /notes\.txt/ })
    .getByText('6 bytes')
    .click()
  await page.getByRole('complementary', { name: 'Preview' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete file' }).click()
  await expect(grid.getByRole('row', { name: /notes\.txt/ })).toBeHidden()
  await expect(page.getByText('1 file')).toBeVisible()
})

nightly(
  'files that the user uploads are in the list at once, also if the list is read slowly',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const { id } = (
      await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Contoso' }, organization.id)
    ).body.data
    const upload = (...names: string[]) => {
      const files = names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('a note') }))
      return page.locator('input[type="file"]').first().setInputFiles(files)
    }
    await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${id}/files`)
    await expect(page.getByRole('heading', { name: 'No files yet' })).toBeVisible()
    await upload('first.txt')
    const grid = page.getByRole('grid', { name: 'Files' })
    await expect(grid.getByRole('link')).toHaveText(['first.txt'])
    // The read after an upload is in progress when the next one starts, because another user made a change.
    await page.route('**/files?**', async (route) => {
      await page.waitForTimeout(route.request().method() === 'GET' ? 2_500 : 0)
      return route.continue()
    })
    await upload('second.txt', 'third.txt')
    await expect(grid.getByRole('link')).toHaveText(['third.txt', 'second.txt', 'first.txt'])
  },
)

nightly('an archived engagement shows it on every page, and who may reopen it', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  const { id } = (
    await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Contoso' }, organization.id)
  ).body.data
  for (const status of ['completed', 'archived']) {
    await people.call(organization.owner, 'PATCH', `/api/web/engagements/${id}`, { status }, organization.id)
  }
  const path = `/o/${organization.slug}/engagements/${id}`
  await people.signIn(page, member, `${path}/files`)
  await expect(page.getByText('This engagement is archived')).toBeVisible()
  await expect(page.getByText('The owner and admins of the organization can reopen it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Upload files' })).toHaveCount(0)
  await people.signIn(page, organization.owner, `${path}/files`)
  await page.getByRole('button', { name: 'Reopen' }).click()
  await expect(page.getByText('This engagement is archived')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Upload files' }).first()).toBeVisible()
})

test('an engagement is deleted by typing its name, and disappears from the list', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id } = (
    await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Contoso' }, organization.id)
  ).body.data
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${id}/settings`)
  await page.getByRole('button', { name: 'Delete the engagement' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Delete engagement' })).toBeDisabled()
  await dialog.getByRole('textbox').fill('Contoso')
  await dialog.getByRole('button', { name: 'Delete engagement' }).click()
  await expect(page.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
  await page.goto(`/o/${organization.slug}/engagements/${id}`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

nightly('on a phone a bar leads to the pages of the engagement', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id } = (
    await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Contoso' }, organization.id)
  ).body.data
  await page.setViewportSize({ width: 390, height: 844 })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${id}`)
  const bar = page.getByRole('navigation', { name: 'Engagement' })
  await expect(bar.getByRole('link')).toHaveText(['Overview', 'Results', 'Tasks', 'Wiki'])
  await bar.getByRole('link', { name: 'Results' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Results' })).toBeVisible()
  await bar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
})
