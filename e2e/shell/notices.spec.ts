import { expectAccessible } from '../support/pages/accessible.ts'
import { visit } from '../support/pages/visit.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test('a mention is written by keyboard, reaches the inbox of the mentioned user, and is read when it is opened', async ({
  page,
  otherPage,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const mia = await people.member(organization, 'member', 'Mia')
  const outside = await people.member(organization, 'member', 'Mio')
  const ask = (method: string, path: string, body?: object) =>
    people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
  const members = (await ask('GET', '/organizations/current/members')).body.data as { id: string; name: string }[]
  const idOf = (name: string) => members.find((member) => member.name === name)?.id as string
  const details = { access: 'team', team: [idOf(mia.name)] }
  const engagementId = (await ask('POST', '/engagements', { name: 'Closed', details })).body.data.id
  const task = (await ask('POST', '/tasks', { engagementId, title: 'Ask for the VPN' })).body.data

  await people.signIn(otherPage, mia, `/o/${organization.slug}/engagements`)
  const bell = otherPage.getByRole('link', { name: /^Inbox/ })
  await expect(bell).toHaveAccessibleName('Inbox')

  await people.signIn(page, organization.owner, `/o/${organization.slug}/tasks/${task.id}`)
  const field = page.getByLabel('New comment')
  const offered = page.getByRole('listbox', { name: 'People to mention' }).getByRole('option')
  await field.fill('Please look, ')
  await field.press('End')
  await field.pressSequentially('@mi')
  await expect(offered).toHaveText([mia.name])
  await expect(page.getByText(`One person to mention, ${mia.name} first.`)).toBeAttached()
  await expectAccessible(page)
  await field.press('Escape')
  await expect(offered).toHaveCount(0)
  for (let left = '@mi'.length; left > 0; left--) await field.press('Backspace')
  await field.pressSequentially('@')
  await expect(offered).toHaveCount(2)
  await expect(offered.filter({ hasText: outside.name })).toHaveCount(0)
  await field.pressSequentially('mi')
  await field.press('ArrowDown')
  await field.press('Enter')
  await expect(field).toHaveValue(`Please look, @[${mia.name}](${idOf(mia.name)}) `)
  await expect(field).toBeFocused()
  await field.pressSequentially('today')
  await field.press('Control+Enter')
  await expect(page.getByRole('article').getByText(`@${mia.name}`)).toBeVisible()

  await expect(bell).toHaveAccessibleName('Inbox, 1 unread')
  await ask('PATCH', `/tasks/${task.id}`, { assigneeId: idOf(mia.name) })
  await expect(bell).toHaveAccessibleName('Inbox, 2 unread')
  await bell.press('Enter')
  const notices = otherPage.getByRole('list', { name: 'Notices' }).getByRole('listitem')
  await expect(notices).toHaveText([/assigned to you: Ask for the VPN/, /mentioned you on Ask for the VPN/])
  await notices.nth(1).getByRole('link').press('Enter')
  await expect(otherPage.getByRole('article').getByText('today')).toBeInViewport()
  // Both were about the open task.
  await expect(bell).toHaveAccessibleName('Inbox')
  await ask('POST', '/tasks', { engagementId, title: 'Ask once more', assigneeId: idOf(mia.name) })
  await expect(bell).toHaveAccessibleName('Inbox, 1 unread')
  await otherPage.goBack()
  await otherPage.getByText('Unread', { exact: true }).click()
  await expect(notices).toHaveCount(1)
  await otherPage.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(otherPage.getByRole('heading', { name: 'All read' })).toBeVisible()
  await expect(bell).toHaveAccessibleName('Inbox')

  await ask('POST', `/tasks/${task.id}/comments`, { body: `@[${mia.name}](${idOf(mia.name)}) the VPN drops` })
  const result = (
    await ask('POST', '/results', { engagementId, title: 'Weak cipher', asset: 'vpn.contoso.example', severity: 'low' })
  ).body.data
  await ask('PATCH', `/results/${result.id}`, { assigneeId: idOf(mia.name), status: 'fixed' })
  await ask('PATCH', `/results/${result.id}`, { status: 'open' })
  await expect(notices).toHaveText([
    /reopened Weak cipher\s*Closed · /,
    /assigned to you: Weak cipher\s*Closed · /,
    new RegExp(`@${mia.name} the VPN drops`),
  ])
  await notices.first().getByRole('link').press('Enter')
  await expect(otherPage.getByRole('complementary', { name: 'Preview' })).toContainText('Weak cipher')
  await visit(otherPage, `/o/${organization.slug}/inbox`)

  await ask('PATCH', `/engagements/${engagementId}/details`, { team: [] })
  await otherPage.getByText('All', { exact: true }).click()
  await expect(otherPage.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible()
})

nightly("a user's own comment is edited and deleted", async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const ask = (path: string, body: object) =>
    people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)
  const engagementId = (await ask('/engagements', { name: 'Commented' })).body.data.id
  const { id } = (await ask('/tasks', { engagementId, title: 'One' })).body.data
  await ask(`/tasks/${id}/comments`, { body: 'Too early' })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/tasks/${id}`)
  const comment = page.getByRole('article')
  await comment.getByRole('button', { name: 'Edit' }).click()
  await comment.getByLabel('Comment', { exact: true }).fill('Just in time')
  await comment.getByRole('button', { name: 'Save' }).click()
  await expect(comment).toContainText('Just in time')
  await expect(comment).toContainText('(edited)')
  await comment.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete comment' }).click()
  await expect(comment).toHaveCount(0)
})
