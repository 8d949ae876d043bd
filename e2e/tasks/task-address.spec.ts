import { expect, test } from '../support/server/sortie.ts'

test('a task opens inside its engagement, also by the address with only its id; list and search show its short id', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const as = (method: string, path: string, body?: unknown) =>
    people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
  const engagementId = (await as('POST', '/engagements', { name: 'Meridian' })).body.data.id
  await as('PATCH', `/engagements/${engagementId}/details`, { prefix: 'MF' })
  const { id } = (await as('POST', '/tasks', { engagementId, title: 'Look at the login' })).body.data
  const tasks = `/o/${organization.slug}/engagements/${engagementId}/tasks`
  await people.signIn(page, organization.owner, `/o/${organization.slug}/tasks/${id}`)
  await expect(page).toHaveURL(`${tasks}/${id}`)
  await expect(page.getByRole('main')).toContainText('MF-1')
  await expect(page.getByRole('heading', { level: 2, name: 'Look at the login' })).toBeVisible()
  await page.goto(`${tasks}/${id}?full=true`)
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Tasks' }).click()
  await expect(page.getByRole('button', { name: /^Look at the login/ })).toBeVisible()
  await page.goto(`${tasks}?view=list`)
  await expect(page.getByRole('grid', { name: 'Tasks' }).getByRole('row', { name: /Look at the login/ })).toContainText(
    'MF-1',
  )
  await page.keyboard.press('Control+k')
  await page.keyboard.type('mf-1')
  await page.getByRole('option', { name: /Look at the login/ }).click()
  await expect(page).toHaveURL(`${tasks}/${id}`)
})
