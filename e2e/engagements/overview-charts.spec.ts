import { expect, test } from '../support/server/sortie.ts'

test('the overview shows results week by week, open findings and coverage; each leads to its list, by mouse and keyboard', async ({
  page,
  sortie: { people },
}) => {
  const { owner, id, slug } = await people.organization()
  const engagementId = (await people.call(owner, 'POST', '/api/web/engagements', { name: 'Perimeter' }, id)).body.data
    .id
  const post = (path: string, body: object) =>
    people.call(owner, 'POST', `/api/web${path}`, { engagementId, ...body }, id)
  await people.signIn(page, owner, `/o/${slug}/engagements/${engagementId}`)
  await expect(
    page.getByText('Nothing in the last twelve weeks. Run a scan, or import the file of a scanner.'),
  ).toBeVisible()
  await expect(page.getByText('No open findings.')).toBeVisible()
  await expect(page.getByText('No target is in scope yet.')).toBeVisible()

  await post('/scope-rules', { effect: 'allow', pattern: '192.0.2.0/24' })
  for (const value of ['192.0.2.10', '192.0.2.11']) await post('/targets', { value })
  await people.call(
    owner,
    'POST',
    `/api/web/imports?engagementId=${engagementId}&fileName=ports.json&wait=5`,
    { ip: '192.0.2.10', port: 443, protocol: 'tcp' },
    id,
  )
  for (const severity of ['critical', 'low', 'low'])
    await post('/results', { title: `A ${severity} one`, asset: '192.0.2.10', severity })
  await page.reload()
  await expect(page.getByText('1 of 2 targets in scope have been seen by a scan or an import.')).toBeVisible()
  await expect(page.getByText('1 critical', { exact: true }).locator('xpath=..')).toHaveText('1 critical2 low')
  const row = page.getByRole('row', { name: /^Low/ })
  await expect(row).toContainText('Low20')
  await expect(page.getByRole('link', { name: /3 vulnerabilities, [1-9]\d* other results?/ })).toHaveCount(1)
  await expect(page.getByRole('link', { name: /: 0 vulnerabilities, 0 other results/ })).toHaveCount(11)

  await row.getByRole('link', { name: '2', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Results' })).toBeVisible()
  await expect(page.getByText('A low one')).toHaveCount(2)
  await expect(page.getByText('A critical one')).toHaveCount(0)
  await page.goBack()
  await page.getByRole('link', { name: /3 vulnerabilities/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/results\/diff\?from=/)
  await expect(page.getByText('A critical one')).toBeVisible()
  await page.goBack()
  await page.getByRole('link', { name: 'See the others' }).click()
  await expect(page.getByRole('row').nth(1)).toContainText('192.0.2.11')
})

test('a week with many times the results of any other is cut and numbered, so that the others keep their height', async ({
  page,
  sortie: { people },
}) => {
  const { owner, id, slug } = await people.organization()
  const engagementId = (await people.call(owner, 'POST', '/api/web/engagements', { name: 'Perimeter' }, id)).body.data
    .id
  const importPorts = async (count: number, weeksAgo: number, address: string) => {
    const seenAt = new Date(Date.now() - weeksAgo * 7 * 24 * 60 * 60 * 1000).toISOString()
    const ports = Array.from({ length: count }, (_, index) => ({ ip: address, port: 1_000 + index, protocol: 'tcp' }))
    const path = `/api/web/imports?engagementId=${engagementId}&fileName=ports-${weeksAgo}.json&wait=20&seenAt=${seenAt}`
    expect((await people.call(owner, 'POST', path, ports, id)).status).toBeLessThan(300)
  }
  await importPorts(60, 6, '192.0.2.10')
  await importPorts(4, 3, '192.0.2.11')
  await people.signIn(page, owner, `/o/${slug}/engagements/${engagementId}`)
  const heights = async (name: RegExp) =>
    page
      .getByRole('link', { name })
      .evaluate((link) =>
        [...link.querySelectorAll('[data-part]')].reduce((sum, part) => sum + part.getBoundingClientRect().height, 0),
      )
  await expect(page.getByRole('link', { name: /0 vulnerabilities, 6\d other results/ })).toBeVisible()
  expect(await heights(/0 vulnerabilities, 6\d other results/)).toBeCloseTo(140, 0)
  expect(await heights(/0 vulnerabilities, [1-9] other results/)).toBeCloseTo(70, 0)
  await expect(page.locator('[data-cut]')).toHaveCount(1)
  await expect(page.getByText(/at most 6\d in a week/)).toBeVisible()
})
