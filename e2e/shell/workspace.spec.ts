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

test('name, description and details are edited on the overview, where they are shown; former addresses lead there, and Back ends editing', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  const as = (method: string, address: string, body?: object) =>
    people.call(organization.owner, method, `/api/web/engagements${address}`, body, organization.id)
  const { id } = (await as('POST', '', { name: 'Contoso' })).body.data
  const path = `/o/${organization.slug}/engagements/${id}`
  await people.signIn(page, organization.owner, `${path}/edit`)
  await expect(page).toHaveURL(`${path}?edit=true`)
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.goto(path)
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  await page.keyboard.press('e')
  await expect(page.getByLabel('Name')).toBeFocused()
  await expect(page.getByRole('combobox', { name: 'Client' })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Name')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeFocused()

  const client = page.getByRole('combobox', { name: 'Client' })
  await client.fill('A name by mistake')
  await client.press('Escape')
  await client.fill('Contos')
  await client.press('Tab')
  await expect(page.getByText('No client has this name yet.')).toBeVisible()
  await client.fill('Contoso Ltd.')
  await client.press('Enter')
  await page.getByRole('combobox', { name: 'Kinds' }).click()
  await page.getByRole('option', { name: 'Network' }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel('First day').fill('2026-12-01')
  await page.getByLabel('Last day').fill('2026-12-12')
  await page.getByLabel('Last day').press('Tab')
  await page.getByRole('button', { name: /^Testing hours/ }).click()
  const hours = page.getByRole('dialog', { name: 'Testing hours' })
  await hours.getByRole('switch', { name: 'Only at certain hours' }).press('Space')
  await hours.getByRole('group', { name: 'Hours 1' }).getByLabel('To').fill('06:00')
  await page.keyboard.press('Control+Enter')
  await expect(hours).toBeHidden()
  await page.getByRole('button', { name: 'Choose lead and team' }).click()
  await expect(page.getByRole('combobox', { name: 'Lead' })).toBeFocused()
  await page.getByRole('option', { name: member.name }).click()
  await page.getByRole('button', { name: 'Add contacts' }).click()
  const dialog = page.getByRole('dialog', { name: 'Contacts' })
  await dialog.getByRole('button', { name: 'Add a contact' }).click()
  const contact = dialog.getByRole('group', { name: 'Contact 1' })
  await contact.getByLabel('Name').fill('Noa Night')
  await contact.getByLabel('Phone').fill('+49 30 123456')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()

  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: /^Testing hours/ })).toContainText('Mon–Fri 09:00–06:00 (next day)')
  await expect(main.getByRole('link', { name: '+49 30 123456' })).toHaveAttribute('href', 'tel:+4930123456')
  await expect
    .poll(async () => (await as('GET', `/${id}/details`)).body.data)
    .toMatchObject({
      clientName: 'Contoso Ltd.',
      kinds: expect.arrayContaining(['network']),
      startsOn: '2026-12-01',
      endsOn: '2026-12-12',
      lead: { name: member.name },
      contacts: [{ name: 'Noa Night', phone: '+49 30 123456' }],
    })
  const clients = await people.call(organization.owner, 'GET', '/api/web/clients', undefined, organization.id)
  expect(clients.body.data.map(({ name }: { name: string }) => name)).toEqual(['Contoso Ltd.'])
  // The last loaded part moves the parts below it.
  await expect(main).toContainText('No target is in scope yet.')
  await page.getByRole('link', { name: 'All activity' }).click()
  await expect(page.getByRole('table', { name: 'Activity' })).toContainText(organization.owner.name)
})

test('a detail that the server refuses returns to its saved value, with the reason; those who may not change details only read them', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  const as = (method: string, address: string, body?: object) =>
    people.call(organization.owner, method, `/api/web/engagements${address}`, body, organization.id)
  const { id } = (await as('POST', '', { name: 'Contoso' })).body.data
  await as('PATCH', `/${id}/details`, { startsOn: '2026-12-01', endsOn: '2026-12-12', clientName: 'Contoso Ltd.' })
  const path = `/o/${organization.slug}/engagements/${id}`
  await people.signIn(page, organization.owner, path)
  const last = page.getByLabel('Last day')
  await last.fill('2026-11-01')
  await last.press('Tab')
  await expect(page.getByRole('alert')).toContainText('Ends on must not be before startsOn.')
  await expect(last).toHaveValue('12 Dec 2026')
  expect((await as('GET', `/${id}/details`)).body.data).toMatchObject({ endsOn: '2026-12-12' })

  await people.signIn(page, member, `${path}?edit=true`)
  await expect(page.getByRole('main')).toContainText('Contoso Ltd.')
  await expect(page.getByRole('combobox', { name: 'Client' })).toHaveCount(0)
  await expect(page.getByLabel('Name')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Edit contacts' })).toHaveCount(0)
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
