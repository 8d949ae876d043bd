import { expectAccessible } from '../support/pages/accessible.ts'
import { chooseFrom } from '../support/pages/choice.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test('everything is searched from the palette, narrowed, walked through with the keyboard and opened', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { owner, id, slug } = organization
  const create = async (path: string, body: object): Promise<string> =>
    (await people.call(owner, 'POST', `/api/web/${path}`, body, id)).body.data.id
  const engagementId = await create('engagements', { name: 'Fabrikam perimeter' })
  const word = 'Marigold'
  await create('wiki-pages', {
    engagementId,
    title: 'Entry points',
    body: `The <b>${word}</b> gateway <script>window.ran = true</script> answers.`,
  })
  const target = await create('targets', { engagementId, value: 'marigold.fabrikam.example' })
  await create('tasks', { engagementId, title: `Ask about ${word}` })
  await create('results', {
    engagementId,
    title: `${word} leaks`,
    asset: 'https://marigold.fabrikam.example',
    severity: 'high',
    data: {},
  })
  await create('api-requests', {
    engagementId,
    name: `${word} login`,
    method: 'GET',
    url: 'https://marigold.fabrikam.example/',
  })

  await page.setViewportSize({ width: 1280, height: 800 })
  await people.signIn(page, owner, `/o/${slug}/engagements`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('marigold')
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('option').nth(1)).toBeVisible()
  // Above the first hit is the last entry.
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('option', { name: /Search everything for “marigold”/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('Enter')

  const hits = page.getByRole('list', { name: 'Results' }).getByRole('link')
  await expect(page.getByRole('heading', { level: 1, name: 'Search' })).toBeVisible()
  await expect(hits).toHaveCount(5)
  await expect(page.getByText('5 matches')).toBeVisible()
  await expect(hits.filter({ hasText: 'Entry points' })).toContainText('Wiki page · Fabrikam perimeter')
  await expect(hits.filter({ hasText: 'Entry points' }).locator('mark')).toHaveText('Marigold')
  await expect(hits.filter({ hasText: 'Entry points' })).toContainText('<script>window.ran = true</script>')
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  await expectAccessible(page)

  await chooseFrom(page.getByLabel('Type'), 'target')
  await expect(hits).toHaveCount(1)
  await expect(page).toHaveURL(/type=target/)
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('/')
  await expect(page.getByLabel('Words to search for')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(hits.first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByLabel('Words to search for')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/engagements/${engagementId}/targets\\?peek=${target}`))
  await page.goBack()
  await expect(page.getByLabel('Words to search for')).toHaveValue('marigold')
  await expect(hits).toHaveCount(1)

  await page.getByLabel('Words to search for').fill('443')
  await expect(page.getByRole('heading', { name: 'No match for “443”' })).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Words to search for')).toHaveValue('443')
  await page.getByLabel('Words to search for').fill('')
  await expect(page.getByRole('heading', { name: 'Search everything that you can see' })).toBeVisible()
})

nightly(
  'the palette shows hits of the server by type, opens them by keyboard, and drops responses to earlier words',
  async ({ page, sortie }) => {
    const { people } = sortie
    const { owner, id, slug } = await people.organization()
    const create = async (path: string, body: object): Promise<string> =>
      (await people.call(owner, 'POST', `/api/web/${path}`, body, id)).body.data.id
    const engagementId = await create('engagements', { name: 'Fabrikam perimeter' })
    const target = await create('targets', { engagementId, value: 'marigold.fabrikam.example' })
    await create('tasks', { engagementId, title: 'Ask about Marigold' })
    await create('wiki-pages', { engagementId, title: 'Saffron', body: 'nothing' })
    await people.signIn(page, owner, `/o/${slug}/engagements`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const asked: string[] = []
    let answer = () => undefined as void
    const late = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/web/search?*', async (route) => {
      const q = new URL(route.request().url()).searchParams.get('q') as string
      asked.push(q)
      if (q === 'saffron') await late
      await route.continue()
    })
    const options = page.getByRole('option')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('saffron')
    await expect.poll(() => asked).toEqual(['saffron'])
    const dropped = page.waitForEvent('requestfailed', (request) => request.url().includes('q=saffron'))
    await page.getByRole('combobox').fill('marigold')
    await expect(options).toHaveText([
      /^marigold\.fabrikam\.exampleTarget$/,
      /^Ask about MarigoldTask$/,
      /Search everything for “marigold”/,
    ])
    await dropped
    answer()
    await expect(options).toHaveCount(3)
    await expect(page.getByRole('listbox').getByText('Targets', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await expect(options.first()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/engagements/${engagementId}/targets\\?peek=${target}`))
  },
)

nightly('a search is narrowed to one engagement, and the address shows it', async ({ page, sortie }) => {
  const { people } = sortie
  const { owner, id, slug } = await people.organization()
  const create = async (path: string, body: object): Promise<string> =>
    (await people.call(owner, 'POST', `/api/web/${path}`, body, id)).body.data.id
  for (const name of ['Fabrikam', 'Contoso']) {
    const engagementId = await create('engagements', { name })
    await create('tasks', { engagementId, title: `Marigold of ${name}` })
  }
  await people.signIn(page, owner, `/o/${slug}/search?q=marigold`)
  const hits = page.getByRole('list', { name: 'Results' }).getByRole('link')
  await expect(hits).toHaveCount(2)
  await chooseFrom(page.getByLabel('Engagement'), 'Contoso')
  await expect(hits).toHaveCount(1)
  await expect(hits).toContainText('Marigold of Contoso')
  await page.reload()
  await expect(page.getByLabel('Engagement').locator('option:checked')).toHaveText('Contoso')
  await expect(hits).toHaveCount(1)
})
