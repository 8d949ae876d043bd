import { expectAccessible } from '../support/pages/accessible.ts'
import { expect, test } from '../support/server/sortie.ts'

test('a wiki is started, its pages are written, linked, reverted, deleted and restored', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { body } = await people.call(
    organization.owner,
    'POST',
    '/api/web/engagements',
    { name: 'Contoso' },
    organization.id,
  )
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${body.data.id}/wiki`)
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  const tree = page.getByRole('navigation', { name: 'Pages' })
  const text = page.getByRole('textbox', { name: 'Text of the page' })
  const saved = page.getByRole('status').filter({ hasText: /^Saved$/ })
  await expect(page.getByRole('heading', { name: 'No pages yet' })).toBeVisible()

  await page.getByRole('button', { name: 'Create the first page' }).click()
  await page.getByLabel('Title').fill('Kick-off')
  await page.keyboard.press('Enter')
  await expect(heading('Kick-off')).toBeVisible()
  await expect(text).toBeFocused()
  await page.keyboard.type('Who is **there**.')
  await expect(page.getByText('Not saved yet')).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(saved).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Done' }).click()
  await expect(page.locator('strong').getByText('there')).toBeVisible()
  await expect(tree.getByRole('link', { name: 'Kick-off' })).toHaveAttribute('aria-current', 'page')
  await expect(tree.getByRole('link', { name: 'Trash' })).not.toHaveAttribute('aria-current')

  await page.getByRole('button', { name: 'Below this one' }).click()
  await page.getByLabel('Title').fill('Accounts')
  await page.getByRole('button', { name: 'Create page' }).click()
  await expect(heading('Accounts')).toBeVisible()
  await text.click()
  await page.getByRole('button', { name: 'Link to a page' }).click()
  await page.keyboard.type('Kick-off')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.keyboard.press('Control+s')
  await expect(saved).toBeVisible()
  await page.getByRole('link', { name: 'Done' }).click()
  await page.getByRole('paragraph').getByRole('link', { name: 'Kick-off' }).click()
  await expect(heading('Kick-off')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Accounts' })).toHaveCount(2)
  await expect(page.getByRole('heading', { name: 'Linked from' })).toBeVisible()

  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Title').fill('First meeting')
  await page.keyboard.press('Enter')
  await expect(heading('First meeting')).toBeVisible()
  await tree.getByRole('link', { name: 'Accounts' }).click()
  await expect(page.getByRole('paragraph').getByRole('link', { name: 'First meeting' })).toBeVisible()

  await page.getByRole('button', { name: 'Move to trash' }).click()
  await expect(page.getByText('Page moved to trash.')).toBeVisible()
  await expect(tree.getByRole('link', { name: 'Accounts' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Page restored.')).toBeVisible()
  await tree.getByRole('link', { name: 'Accounts' }).click()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await expect(tree.getByRole('link', { name: 'Accounts' })).toHaveCount(0)
  await tree.getByRole('link', { name: 'Trash' }).click()
  await expect(heading('Trash')).toBeVisible()
  await expect(tree.getByRole('link', { name: 'Trash' })).toHaveAttribute('aria-current', 'page')
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Accounts' }).click()
  await expect(page.getByText(/^In the trash\. Changed/)).toBeVisible()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(tree.getByRole('link', { name: 'Accounts' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toBeVisible()
})

test('the history of a page shows changes and their authors, and restores a text', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  const as = (person: typeof member, method: string, path: string, body: object) =>
    people.call(person, method, `/api/web/wiki-pages${path}`, body, organization.id)
  const { id } = (
    await as(organization.owner, 'POST', '', {
      title: 'Handbook',
      engagementId: null,
      body: 'Ask first.\n\nThen scan.',
    })
  ).body.data
  await as(member, 'PATCH', `/${id}`, { body: 'Ask first.\n\nNever scan.', baseRevision: 1 })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/wiki/${id}`)
  await expect(page.getByText('Never scan.')).toBeVisible()
  await page.getByRole('link', { name: 'History' }).click()
  const entries = page.getByRole('main').getByRole('button', { name: /bytes/ })
  await expect(entries).toHaveCount(2)
  await expect(entries.first()).toContainText(member.name)
  await expect(page.getByRole('region', { name: 'Revision 2' })).toContainText('+ Never scan.')
  await expect(page.getByRole('region', { name: 'Revision 2' })).toContainText('− Then scan.')
  await expectAccessible(page)
  await entries.last().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Revision 1' }).getByRole('button', { name: 'Restore this text' }).click()
  await expect(page.getByText('Restored as a new revision.')).toBeVisible()
  await expect(entries).toHaveCount(3)
  await page.getByRole('link', { name: 'Back to the page' }).click()
  await expect(page.getByText('Then scan.')).toBeVisible()
})
