import { readFile } from 'node:fs/promises'
import { expectAccessible } from '../support/pages/accessible.ts'
import { expect, test } from '../support/server/sortie.ts'

test('an organization without engagements can load a demonstration, which is marked as one, sends nothing, and is removed in one step', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const read = async (path: string) =>
    (await people.call(organization.owner, 'GET', `/api/web${path}`, undefined, organization.id)).body.data
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await page.getByRole('button', { name: 'Load a demonstration' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Demonstration: Contoso perimeter' })).toBeVisible()
  const banner = page
    .getByRole('status')
    .filter({ hasText: 'Demonstration data: the client, its systems and all results are invented. Nothing is sent.' })
  await expect(banner).toBeVisible()
  await expectAccessible(page)
  const [engagement] = await read('/engagements')
  const of = `engagementId=${engagement.id}`
  expect(engagement.status).toBe('completed')
  const targets = (await read(`/targets?${of}&perPage=100`)) as { canonical: string }[]
  expect(targets.length).toBeGreaterThanOrEqual(5)
  // Nothing else: these can belong to no one (RFC 2606, RFC 5737).
  const rules = (await read(`/scope-rules?${of}`)) as { pattern: string }[]
  for (const name of [...targets.map(({ canonical }) => canonical), ...rules.map(({ pattern }) => pattern)]) {
    expect(name).toMatch(/contoso\.example|^192\.0\.2\./)
  }
  expect(((await read(`/results?${of}&kind=service`)) as unknown[]).length).toBe(6)
  expect(((await read(`/findings?${of}`)) as unknown[]).length).toBe(2)
  expect(await read(`/scans?${of}`)).toEqual([])
  const scan = await people.call(
    organization.owner,
    'POST',
    '/api/web/scans',
    { engagementId: engagement.id, scanners: [{ id: 'ports' }] },
    organization.id,
  )
  expect(scan.status).toBeGreaterThanOrEqual(400)

  await page.goto(`/o/${organization.slug}/engagements/${engagement.id}/results`)
  await banner.getByRole('button', { name: 'Remove demonstration' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove demonstration' }).click()
  await expect(page.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
  expect(await read('/engagements')).toEqual([])
  expect(await read('/clients')).toEqual([])
})

test('a demonstration that cannot be completed leaves nothing behind; members are not offered one', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await page.route('**/api/web/findings', (route) =>
    route.fulfill({ status: 400, json: { error: { code: 'BAD_REQUEST', message: 'Not today.', statusCode: 400 } } }),
  )
  await page.getByRole('button', { name: 'Load a demonstration' }).click()
  await expect(page.getByRole('alert')).toContainText('Not today.')
  await expect(page.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
  expect(
    (await people.call(organization.owner, 'GET', '/api/web/engagements', undefined, organization.id)).body.data,
  ).toEqual([])

  await people.signIn(page, member, `/o/${organization.slug}/engagements`)
  await expect(page.getByRole('heading', { name: 'No engagements yet' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Load a demonstration' })).toHaveCount(0)
})

test('a new user makes a first PDF of the demonstration in less than a minute', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const began = performance.now()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await page.getByRole('button', { name: 'Load a demonstration' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Demonstration: Contoso perimeter' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await page.getByRole('button', { name: 'New report' }).first().click()
  await page.getByRole('dialog', { name: 'New report' }).getByRole('button', { name: 'Create report' }).click()
  await expect(page.getByRole('navigation', { name: 'Sections of the report' })).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Render' }).click()
  await page.getByRole('menuitem', { name: /^PDF/ }).click()
  const download = await downloading
  expect(performance.now() - began).toBeLessThan(60_000)
  expect(download.suggestedFilename()).toMatch(/\.pdf$/)
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')
})
