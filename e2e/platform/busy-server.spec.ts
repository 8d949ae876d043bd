import { chooseFrom } from '../support/pages/choice.ts'
import { expect, test } from '../support/server/sortie.ts'

const BUSY = {
  status: 503,
  headers: { 'retry-after': '1', 'content-type': 'application/json' },
  body: '{"error":{"code":"INTERNAL_ERROR","message":"The server is busy.","statusCode":503}}',
}

test('D3: what a busy server refuses is asked for again: scripts, styles and reads; a write is sent once', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const call = await people.session(organization.owner, organization.id)
  const { id } = (await call('POST', '/api/web/engagements', { name: 'Contoso' })).data
  await call('POST', '/api/web/targets', { engagementId: id, value: '10.0.0.1' })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Contoso' })).toBeVisible()
  const failures: string[] = []
  await page.exposeFunction('noteFailure', (text: string) => failures.push(text))
  await page.evaluate(() => {
    new MutationObserver(() => {
      const text = document.body.innerText
      const found = /Something went wrong|This page could not be loaded|This could not be loaded/.exec(text)
      if (found) (globalThis as unknown as { noteFailure: (text: string) => void }).noteFailure(found[0])
    }).observe(document.body, { childList: true, subtree: true })
  })

  const asked = new Map<string, number>()
  const refuseTwice = (pattern: string | RegExp) =>
    page.route(pattern, async (route) => {
      const { pathname } = new URL(route.request().url())
      const count = (asked.get(pathname) ?? 0) + 1
      asked.set(pathname, count)
      await (count <= 2 ? route.fulfill(BUSY) : route.continue())
    })
  await refuseTwice(/\/assets\/(?:TasksPage|ResultsPage|TargetsPage)-[^/]*\.(?:js|css)$/)
  await refuseTwice('**/api/web/targets?*')
  for (const [link, heading] of [
    ['Targets', 'Targets'],
    ['Tasks', 'Tasks'],
    ['Results', 'Results'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    if (link === 'Targets')
      await expect(page.getByRole('grid', { name: 'Targets' }).getByRole('row', { name: /10\.0\.0\.1/ })).toBeVisible()
  }
  for (const name of ['TargetsPage', 'TasksPage', 'ResultsPage'])
    expect([...asked].filter(([path]) => path.includes(name) && path.endsWith('.js'))[0]?.[1], name).toBe(3)
  expect(asked.get('/api/web/targets')).toBeGreaterThanOrEqual(3)
  expect(failures).toEqual([])

  // A page that is opened meanwhile waits for what it reads first.
  await refuseTwice(/\/api\/web\/(?:account|organizations)$/)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Results' })).toBeVisible()
  for (const path of ['account', 'organizations']) expect(asked.get(`/api/web/${path}`), path).toBeGreaterThanOrEqual(3)

  let writes = 0
  await page.route('**/api/web/results', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    writes++
    await route.fulfill(BUSY)
  })
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Injection')
  await dialog.getByLabel('Asset').fill('10.0.0.1')
  await chooseFrom(dialog.getByLabel('Severity'), 'high')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('alert')).toContainText('The server is busy.')
  expect(writes).toBe(1)
})

test('D10: a toast and the banner of a lost connection cover no control', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const call = await people.session(organization.owner, organization.id)
  const { id: engagementId } = (await call('POST', '/api/web/engagements', { name: 'Contoso' })).data
  for (const title of ['Injection', 'Weak cipher', 'Open redirect'])
    await call('POST', '/api/web/results', { engagementId, title, asset: '10.0.0.1', severity: 'high' })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${engagementId}/results`)
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  const toast = page.getByRole('status').filter({ hasText: 'changed.' })
  const boxOf = async (locator: typeof bar) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const areApart = (a: { y: number; height: number }, b: { y: number; height: number }) =>
    a.y + a.height <= b.y || b.y + b.height <= a.y

  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await page.reload()
    await expect(page.getByRole('grid', { name: 'Results' }).getByRole('row').nth(2)).toBeVisible()
    // The change of a single row is seen in the row, without a toast.
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    const second = page.getByRole('grid', { name: 'Results' }).getByRole('row').nth(2)
    await page.keyboard.press('2')
    await expect(page.getByRole('grid', { name: 'Results' }).getByText('Low')).toHaveCount(2)
    await page.keyboard.press('4')
    await expect(page.getByRole('grid', { name: 'Results' }).getByText('Low')).toHaveCount(0)
    await expect(second).toContainText('High')
    await expect(toast).toHaveCount(1)
    // It does not close while it is measured.
    await toast.hover()
    await expect
      .poll(async () => areApart(await boxOf(toast), await boxOf(bar)), `toast and bar at ${size.width} px`)
      .toBe(true)
    const { x, width } = await boxOf(toast)
    expect(Math.abs(x + width / 2 - size.width / 2)).toBeLessThan(12)
  }

  await page.mouse.move(0, 0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Injection')
  await dialog.getByLabel('Asset').fill('10.0.0.1')
  await chooseFrom(dialog.getByLabel('Severity'), 'high')
  await page.route('**/api/**', (route) => route.abort('connectionrefused'))
  await page.keyboard.press('Control+Enter')
  const banner = page.getByText('The server cannot be reached. What you typed is kept')
  await expect(banner).toBeVisible()
  for (const [name, covered] of [
    ['dialog', dialog] as const,
    ['header', page.getByRole('button', { name: 'Open navigation' })] as const,
  ]) {
    await expect(covered, name).toBeVisible()
    const gap = async () => {
      const [{ y, height }, { y: top }] = await Promise.all([boxOf(banner), boxOf(covered)])
      return top - y - height
    }
    await expect.poll(gap, name).toBeGreaterThanOrEqual(0)
  }
  expect((await boxOf(banner)).y).toBe(0)
  await dialog.getByRole('button', { name: 'Close' }).click({ trial: true })
  await dialog.getByRole('button', { name: 'Cancel' }).click({ trial: true })
  await page.unroute('**/api/**')
  await expect(banner).toBeHidden()
})
