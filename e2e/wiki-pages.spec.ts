import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/sortie.ts'

test('a page leads to the targets, results, tasks, requests and pages that it names by id, under their current titles', async ({ page, sortie }) => {
  const { people } = sortie
  const { owner, id, slug } = await people.organization()
  const create = async (path: string, body: object): Promise<string> => (await people.call(owner, 'POST', `/api/web/${path}`, body, id)).body.data.id
  const engagementId = await create('engagements', { name: 'Fabrikam perimeter' })
  const target = await create('targets', { engagementId, value: 'vpn.fabrikam.example' })
  const task = await create('tasks', { engagementId, title: 'Ask for an account' })
  const result = await create('results', { engagementId, title: 'Open redirect', asset: 'https://vpn.fabrikam.example', severity: 'high', data: {} })
  const request = await create('api-requests', { engagementId, name: 'Log in', method: 'GET', url: 'https://vpn.fabrikam.example/' })
  const other = await create('wiki-pages', { title: 'Handbook', engagementId: null, body: 'Ask first.' })
  const missing = `tgt_${'0'.repeat(26)}`
  const body = [target, task, result, request, other, missing].map((one) => `[[${one}]]`).join('\n\n')
  const notes = await create('wiki-pages', { title: 'Notes', engagementId, body })
  const address = `/o/${slug}/engagements/${engagementId}/wiki/${notes}`
  await people.signIn(page, owner, address)
  const links = page.getByRole('main').getByRole('paragraph').getByRole('link')
  await expect(links).toHaveText(['vpn.fabrikam.example', 'Ask for an account', 'Open redirect', 'Log in', 'Handbook'])
  await expect(page.getByText(missing)).toBeVisible()
  await expectAccessible(page)
  for (const [name, leads] of [
    ['vpn.fabrikam.example', `/engagements/${engagementId}/targets?peek=${target}`],
    ['Ask for an account', `/tasks/${task}`],
    ['Open redirect', `/engagements/${engagementId}/results?peek=${result}`],
    ['Log in', `/requests/${request}`],
    ['Handbook', `/wiki/${other}`],
  ] as const) {
    await links.filter({ hasText: name }).click()
    await expect(page).toHaveURL((url) => `${url.pathname}${url.search}`.startsWith(`/o/${slug}`) && url.href.endsWith(leads))
    await page.goto(address)
  }
})
