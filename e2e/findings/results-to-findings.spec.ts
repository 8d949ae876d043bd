import { engagementWithFindings } from '../support/findings.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { expect, type Sortie, test } from '../support/server/sortie.ts'

test('results become a new finding and assets of an existing one, from the selection and from the active row', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id, path, add, ask, findings } = await engagementWithFindings(people, organization)
  for (const host of ['a', 'b', 'c'])
    await ask('POST', '/results', {
      engagementId: id,
      title: `Old TLS on ${host}`,
      asset: `https://${host}.contoso.example`,
      severity: 'medium',
    })
  const known = await add({ title: 'Old TLS versions' })
  await people.signIn(page, organization.owner, `${path}/results?sort=asset&order=asc`)
  const rowOf = (host: string) =>
    page
      .getByRole('grid', { name: 'Results' })
      .getByRole('row')
      .filter({ hasText: `${host}.contoso.example` })
  for (const host of ['a', 'b']) await rowOf(host).getByRole('checkbox').check()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'Add to a finding' })
  await dialog.getByText('Existing finding').click()
  await dialog.getByRole('combobox', { name: 'Finding' }).fill('Old TLS v')
  await page.getByRole('option', { name: `${known.number} Old TLS versions` }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add to finding' }).click()
  await expect(page.getByText(`2 assets added to finding ${known.number}.`)).toBeVisible()
  expect((await ask('GET', `/findings/${known.id}/affected`)).data).toHaveLength(2)

  await rowOf('c').click()
  await page.keyboard.press('n')
  await expect(dialog.getByLabel('Title')).toHaveValue('Old TLS on c')
  await dialog.getByLabel('Title').fill('Old TLS of the portal')
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/\/findings\/fnd_/)
  await expect(page.getByRole('region', { name: 'Affected assets' })).toContainText('https://c.contoso.example')
  expect((await findings()).map(({ title, severity }) => `${title} ${severity}`)).toContain(
    'Old TLS of the portal medium',
  )
})

test('the queue of suggestions is worked by keyboard: accept, skip, dismiss', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id, path, ask, findings } = await engagementWithFindings(people, organization)
  for (const [title, severity] of [
    ['Default password', 'critical'],
    ['Stored script', 'high'],
    ['Verbose banner', 'low'],
  ])
    await ask('POST', '/results', { engagementId: id, title, asset: 'https://app.contoso.example', severity })
  await people.signIn(page, organization.owner, `${path}/findings`)
  await page.getByRole('link', { name: 'Suggestions' }).click()
  const queue = page.getByRole('list', { name: 'Suggestions' })
  await expect(queue.getByRole('button')).toHaveCount(3)
  await expectAccessible(page)
  await page.keyboard.press('a')
  await expect(queue.getByRole('button')).toHaveCount(2)
  await expect(page.getByRole('region', { name: 'Stored script' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.getByRole('region', { name: 'Verbose banner' })).toBeVisible()
  await page.keyboard.press('d')
  await expect(page.getByRole('region', { name: 'Stored script' })).toBeVisible()
  await expect
    .poll(async () =>
      (await ask('GET', `/finding-suggestions?engagementId=${id}`)).data.map(
        (s: { dismissed: boolean }) => s.dismissed,
      ),
    )
    .toEqual([false, true])
  await page.keyboard.press('a')
  await expect(queue.getByRole('button')).toHaveCount(1)
  const titles = async () => (await findings()).map(({ title }) => title).toSorted()
  await expect.poll(titles).toEqual(['Default password', 'Stored script'])
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
})

/** An engagement with a suggestion for each title. */
const engagementWithResults = async ({ people }: Sortie, titles: readonly string[]) => {
  const organization = await people.organization()
  const engagement = await engagementWithFindings(people, organization)
  for (const title of titles) {
    const place = { engagementId: engagement.id, asset: 'https://app.contoso.example' }
    await engagement.ask('POST', '/results', { ...place, title, severity: 'low' })
  }
  return { ...engagement, owner: organization.owner }
}

test('keys pressed while the server is slow each decide their own suggestion; one that it refuses comes back', async ({
  page,
  sortie,
}) => {
  const { owner, path, findings } = await engagementWithResults(sortie, ['First', 'Second', 'Third', 'Fourth'])
  let refused: string | undefined
  let release: (() => void) | undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/web/findings', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await held
    if (refused !== undefined) return route.fallback()
    refused = route.request().postDataJSON().title as string
    const error = { code: 'CONFLICT', message: 'An engagement has at most 5,000 findings.', statusCode: 409 }
    return route.fulfill({ status: 409, json: { error } })
  })
  await sortie.people.signIn(page, owner, `${path}/findings/suggestions`)
  const queue = page.getByRole('list', { name: 'Suggestions' }).getByRole('button')
  await expect(queue).toHaveCount(4)
  for (const key of ['a', 'a', 'd']) await page.keyboard.press(key)
  await expect(queue).toHaveCount(2)
  await expect(page.locator('[data-dismissed]')).toHaveCount(1)
  release?.()
  await expect(page.getByRole('alert')).toContainText('is not accepted. An engagement has at most 5,000 findings.')
  await expect(queue).toHaveCount(3)
  await expect(page.getByRole('list', { name: 'Suggestions' })).toContainText(refused ?? 'a refused title')
  await expect.poll(async () => (await findings()).length).toBe(1)
  expect((await findings())[0]?.title).not.toBe(refused)
})

test('an accepted suggestion stays accepted while the list cannot be read again, so that no key decides it twice', async ({
  page,
  sortie,
}) => {
  const { owner, path, findings } = await engagementWithResults(sortie, ['First', 'Second', 'Third'])
  await sortie.people.signIn(page, owner, `${path}/findings/suggestions`)
  const queue = page.getByRole('list', { name: 'Suggestions' }).getByRole('button')
  await expect(queue).toHaveCount(3)
  let refused = 0
  await page.route('**/api/web/finding-suggestions?**', (route) => {
    refused += 1
    const error = { code: 'SERVICE_UNAVAILABLE', message: 'The database is too slow.', statusCode: 503 }
    return route.fulfill({ status: 503, json: { error } })
  })
  await page.keyboard.press('a')
  await expect(queue).toHaveCount(2)
  await expect.poll(() => refused).toBeGreaterThan(0)
  await expect(page.getByText('The database is too slow.').first()).toBeVisible()
  await expect(queue).toHaveCount(2)
  await page.keyboard.press('a')
  await expect(queue).toHaveCount(1)
  await expect.poll(async () => (await findings()).length).toBe(2)
  await expect(page.getByRole('alert').filter({ hasText: 'is not accepted' })).toHaveCount(0)
})
