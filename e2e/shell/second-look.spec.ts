import { visit } from '../support/pages/visit.ts'
import { openRequests, test as withSide } from '../support/requests.ts'
import { ADMINISTRATOR } from '../support/server/people.ts'
import { expect, test } from '../support/server/sortie.ts'

test('D11: Back leaves a preview and keeps the filter; menus end within the window; 100 that are read are not all', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const call = await people.session(organization.owner, organization.id)
  const { id: engagementId } = (await call('POST', '/api/web/engagements', { name: 'Contoso' })).data
  const write = (title: string) =>
    call('POST', '/api/web/results', { engagementId, title, asset: '10.0.0.1', severity: 'high' })
  for (const title of ['Injection', 'Weak cipher', 'Open redirect']) await write(title)
  const results = `/o/${organization.slug}/engagements/${engagementId}/results`
  await people.signIn(page, organization.owner, results)
  const grid = page.getByRole('grid', { name: 'Results' })
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await expect(grid.getByRole('row')).toHaveCount(4)
  await page.keyboard.press('/')
  await page.keyboard.type('status:open')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/status=open/)
  await grid.getByRole('row', { name: /Weak cipher/ }).click()
  await expect(preview.getByRole('heading', { name: 'Weak cipher' })).toBeVisible()
  await grid.focus()
  await page.keyboard.press('j')
  await expect(preview.getByRole('heading', { name: 'Weak cipher' })).toBeHidden()
  await page.goBack()
  await expect(preview).toBeHidden()
  await expect(page).toHaveURL(/status=open/)

  for (const height of [900, 500]) {
    await page.setViewportSize({ width: 1280, height })
    await page.getByRole('button', { name: 'Display' }).click()
    const box = await page.getByRole('menu').boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? height)).toBeLessThanOrEqual(height)
    await page.keyboard.press('Escape')
  }

  // Pages of two replace pages of a hundred, and the second one does not come.
  await page.route('**/api/web/results/diff?*', (route) => {
    const url = route.request().url()
    return url.includes('cursor=') ? undefined : route.continue({ url: url.replace('perPage=100', 'perPage=2') })
  })
  await visit(page, `${results}/diff`)
  await expect(page.getByText('3 new results.')).toBeVisible()
  await expect(page.getByText('3 differences', { exact: true })).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('D11: the page of members shows who has joined since it was opened', async ({ page, sortie: { people } }) => {
  const organization = await people.organization()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/members`)
  await expect(page.getByText(organization.owner.name).first()).toBeVisible()
  const { name } = await people.member(organization, 'member')
  await expect(page.getByText(name)).toBeVisible()
})

test('D11: the beginning of an area leads to its first page', async ({ page, sortie: { people } }) => {
  await people.signIn(page, ADMINISTRATOR, '/instance')
  await expect(page.getByRole('heading', { level: 1, name: 'Instance' })).toBeVisible()
  await page.goto('/account')
  await expect(page).toHaveURL(/\/account\/profile$/)
})

test('D11: requests of a file go into the chosen folder, and activity shows only what changed', async ({
  page,
  sortie: { people },
}) => {
  const organization = await people.organization()
  const call = await people.session(organization.owner, organization.id)
  const { id: engagementId } = (await call('POST', '/api/web/engagements', { name: 'Contoso' })).data
  const folder = (await call('POST', '/api/web/request-folders', { engagementId, name: 'Orders' })).data
  const engagement = `/o/${organization.slug}/engagements/${engagementId}`
  await people.signIn(page, organization.owner, `${engagement}/requests/${folder.id}`)
  await page.getByRole('button', { name: 'More to add' }).click()
  await page.getByRole('menuitem', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import requests' })
  await dialog.getByLabel('Or paste text').fill("curl '{{base}}/login' -X POST")
  await expect(dialog.getByLabel('Into')).toHaveValue('At the top')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('button', { name: 'Import' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const [imported] = (await call('GET', `/api/web/api-requests?engagementId=${engagementId}`)).data as {
    id: string
    folderId: string | null
    url: string
  }[]
  expect([imported?.folderId, imported?.url]).toEqual([null, '{{base}}/login'])

  // A change that leaves the name as it is, and a move.
  await call('PATCH', `/api/web/api-requests/${imported?.id}`, { name: '{{base}}/login', method: 'GET' })
  await call('POST', `/api/web/api-requests/${imported?.id}/move`, { folderId: folder.id })
  await visit(page, `${engagement}/activity`)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  const texts = await page.getByRole('row').allTextContents()
  expect(texts.filter((text) => /(\S+) → \1(?:[,\s]|$)/.test(text))).toEqual([])
  expect(texts.join('\n')).not.toContain('folder id')
  expect(texts.join('\n')).toContain('moved to Orders')
})

withSide(
  'D11: after a sequence has run its request shows the answer, and a refusal replaces an older one',
  async ({ page, sortie, side }) => {
    const { home, create, call, engagementId } = await openRequests(page, sortie, side)
    const folder = await create('/request-folders', { name: 'Sign-in' })
    const request = await create('/api-requests', { folderId: folder.id, name: 'Ask', url: `${side.origin}/asked` })
    await visit(page, `${home}/${request.id}`)
    await expect(page.getByText('Not sent yet.')).toBeVisible()
    await visit(page, `${home}/${folder.id}`)
    await page.getByRole('button', { name: 'Run the folder' }).click()
    await expect(page.getByText(/1 of 1 request/).first()).toBeVisible()
    await visit(page, `${home}/${request.id}`)
    const answer = page.getByRole('status').filter({ hasText: '200 OK' })
    await expect(answer).toBeVisible()
    await expect(page.getByText('Not sent yet.')).toBeHidden()

    const otherDay = new Date(Date.now() - 2 * 86_400_000).getUTCDay() || 7
    const windows = [{ days: [otherDay], from: '09:00', to: '10:00' }]
    const closed = await call('PATCH', `/engagements/${engagementId}/details`, {
      testingHours: { timeZone: 'UTC', windows },
    })
    expect(closed.testingHours.windows).toEqual(windows)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(
      page.getByText(/It is outside the testing hours \(.+\): the next window begins on .+ at 09:00 \(UTC\)/),
    ).toBeVisible()
    await expect(answer).toBeHidden()
    await visit(page, home.replace(/requests$/, 'activity'))
    await expect(page.getByText('Ran folder “Sign-in”')).toBeVisible()
  },
)
