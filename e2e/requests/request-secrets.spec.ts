import { expectAccessible } from '../support/pages/accessible.ts'
import { visit } from '../support/pages/visit.ts'
import { openRequests, test } from '../support/requests.ts'
import { nightlyOf } from '../support/server/nightly.ts'
import { expect } from '../support/server/sortie.ts'

const nightly = nightlyOf(test)

test('X10: secrets are bound to hosts, and sent to others only once they are entered again', async ({
  page,
  sortie,
  side,
}) => {
  const { home, create } = await openRequests(page, sortie, side)
  const environment = await create('/environments', {
    name: 'Staging',
    variables: [{ name: 'token', value: 'a-secret', secret: true }],
  })
  await visit(page, `${home}/${environment.id}`)
  const hosts = page.getByLabel('Send secrets only to')
  await hosts.fill('api.example.com, *.test.example.com')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Environment saved.')).toBeVisible()
  await page.reload()
  await expect(hosts).toHaveValue('api.example.com, *.test.example.com')
  await hosts.fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(
    page.getByText(
      'Stored secrets belong to the hosts that they were stored for. Enter them again to send them to others.',
    ),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Value of variable 1').fill('typed again')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Environment saved.')).toBeVisible()
  await page.reload()
  await expect(hosts).toHaveValue('')

  const folder = await create('/request-folders', { name: 'Sign-in', auth: { type: 'bearer', token: 'a-secret' } })
  await create('/api-requests', { folderId: folder.id, name: 'Elsewhere', url: `${side.origin}/elsewhere` })
  await visit(page, `${home}/${folder.id}`)
  await hosts.fill('api.example.com')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Folder saved.')).toBeVisible()
  await page.getByRole('navigation', { name: 'Saved requests' }).getByRole('link', { name: 'Elsewhere' }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(
    page.getByText('Url must lead to api.example.com, since secrets of the folder Sign-in are sent only there.'),
  ).toBeVisible()
  expect(side.received.filter(({ url }) => url === '/elsewhere')).toEqual([])
})

nightly('a read-only environment shows its proxy and its hosts, too', async ({ page, sortie, side }) => {
  const { home, call } = await openRequests(page, sortie, side)
  const fields = {
    proxy: 'http://proxy.example.com:8080',
    hosts: ['api.example.com'],
    variables: [{ name: 'token', value: 'a-secret', secret: true }],
  }
  const shared = await call('POST', '/environments', { engagementId: null, name: 'Of all', ...fields })
  await page.goto(`${home}/${shared.id}`)
  await expect(page.getByLabel('Proxy')).toHaveValue('http://proxy.example.com:8080')
  await expect(page.getByLabel('Send secrets only to')).toHaveValue('api.example.com')
  for (const field of ['Proxy', 'Send secrets only to'])
    await expect(page.getByLabel(field)).toHaveAttribute('readonly')
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0)
  await expectAccessible(page)

  const plain = await call('POST', '/environments', { engagementId: null, name: 'Plain' })
  await page.goto(`${home}/${plain.id}`)
  await expect(page.getByLabel('Proxy')).toHaveAttribute('placeholder', 'None')
  await expect(page.getByLabel('Send secrets only to')).toHaveAttribute('placeholder', 'Any host')
})
