import { expectAccessible } from '../support/pages/accessible.ts'
import { chooseFrom } from '../support/pages/choice.ts'
import { visit } from '../support/pages/visit.ts'
import { openRequests, test } from '../support/requests.ts'
import { expect } from '../support/server/sortie.ts'

test('request and response are side by side from 1,400 px, with a divider for the mouse and for keys, and the tree as a rail', async ({
  page,
  sortie,
  side,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const { home, engagementId, call } = await openRequests(page, sortie, side)
  const request = await call('POST', '/api-requests', { engagementId, name: 'Order', url: `${side.origin}/api/orders` })
  await visit(page, `${home}/${request.id}`)
  const [address, response] = [
    page.getByLabel('Address', { exact: true }),
    page.getByRole('heading', { name: 'Response' }),
  ]
  const left = async () => (await response.boundingBox())?.x ?? 0
  await expect(response).toBeVisible()
  expect((await response.boundingBox())?.y).toBeLessThan(400)
  const before = await left()
  const divider = page.getByRole('separator', { name: 'Width of the request' })
  await divider.focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(left).toBeGreaterThan(before + 20)
  const box = await divider.boundingBox()
  await page.mouse.move((box?.x ?? 0) + 1, 500)
  await page.mouse.down()
  await page.mouse.move((box?.x ?? 0) - 150, 500, { steps: 4 })
  await page.mouse.up()
  await expect.poll(left).toBeLessThan(before)
  await expectAccessible(page)

  const tree = page.getByRole('navigation', { name: 'Saved requests' })
  await expect(tree).toBeHidden()
  await page.getByRole('button', { name: 'Show: Saved requests' }).click()
  await expect(tree.getByRole('link', { name: 'Order' })).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(divider).toBeHidden()
  expect((await response.boundingBox())?.y).toBeGreaterThan((await address.boundingBox())?.y ?? 0)
})

test('{{ completes variables, values of a JSON response are captured and asserted, by mouse and by keys', async ({
  page,
  sortie,
  side,
}) => {
  const { home, engagementId, call } = await openRequests(page, sortie, side)
  const variables = [
    { name: 'base', value: side.origin, secret: false },
    { name: 'basket', value: '7', secret: false },
  ]
  const staging = await call('POST', '/environments', { engagementId, name: 'Staging', variables })
  const request = await call('POST', '/api-requests', { engagementId, name: 'Order', url: 'https://example.com' })
  await visit(page, `${home}/${request.id}`)
  await chooseFrom(page.getByLabel('Environment'), 'Staging')
  const address = page.getByLabel('Address', { exact: true })
  await address.fill('')
  await address.pressSequentially('{{ba')
  await expect(page.getByRole('listbox', { name: 'Variables' }).getByRole('option')).toHaveText(['base', 'basket'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(address).toHaveValue('{{base}}')
  await address.pressSequentially('/orders')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('status').filter({ hasText: '200 OK' })).toBeVisible()

  const body = page.getByRole('region', { name: 'Response body' })
  await body.getByText('12345678901234567890').click()
  await page.getByRole('menuitem', { name: 'Capture as a variable' }).click()
  await expect(page.getByLabel('Variable of capture 1')).toHaveValue('id')
  await expect(page.getByLabel('Path of capture 1')).toHaveValue('$.id')
  await body.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Assert this value' }).press('Enter')
  await expect(page.getByLabel('Path of assertion 1')).toHaveValue('$.count')
  await expect(page.getByLabel('Value of assertion 1')).toHaveValue('1')
  await page.getByLabel('Keep capture 1 in the environment').check()
  await expectAccessible(page)
  await address.press('Control+Enter')
  const kept = async () =>
    ((await call('GET', `/environments/${staging.id}`)).variables as { name: string; value: string }[]).find(
      ({ name }) => name === 'id',
    )
  // A number of 20 digits is rounded, as everywhere in JSON of browsers.
  await expect.poll(async () => (await kept())?.value).toMatch(/^1234567890123456/)
})

test('requests are dragged into folders and back, and open ones are tabs', async ({ page, sortie, side }) => {
  const { home, engagementId, call } = await openRequests(page, sortie, side)
  const folder = await call('POST', '/request-folders', { engagementId, name: 'Orders' })
  const first = await call('POST', '/api-requests', { engagementId, name: 'Read', url: `${side.origin}/a` })
  const second = await call('POST', '/api-requests', { engagementId, name: 'Write', url: `${side.origin}/b` })
  await visit(page, `${home}/${first.id}`)
  const tree = page.getByRole('navigation', { name: 'Saved requests' })
  const folderOf = async () => (await call('GET', `/api-requests/${first.id}`)).folderId
  await tree.getByRole('link', { name: 'Read' }).dragTo(tree.getByRole('link', { name: 'Orders' }))
  await expect.poll(folderOf).toBe(folder.id)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(folderOf).toBeNull()

  await tree.getByRole('link', { name: 'Write' }).click()
  const tabs = page.getByRole('navigation', { name: 'Open requests' })
  await expect(tabs.getByRole('link')).toHaveText(['GET Read', 'GET Write'])
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('[')
  await expect(page.getByRole('heading', { level: 1, name: 'Read' })).toBeVisible()
  await tabs.getByRole('button', { name: 'Close Read' }).click()
  await expect(page).toHaveURL(`${home}/${second.id}`)
  await expect(tabs).toBeHidden()
})

test('D11: a pasted {{base}} is a variable, an import lands at the top, and outside the hours the refusal names them and no old response is shown', async ({
  page,
  sortie,
  side,
}) => {
  const { home, engagementId, call } = await openRequests(page, sortie, side)
  const folder = await call('POST', '/request-folders', { engagementId, name: 'Orders' })
  await visit(page, `${home}/${folder.id}`)
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('menuitem', { name: /Import/ }).click()
  await page.getByLabel('Or paste text').fill(`curl '{{base}}/login' -H 'X-Api: {{token}}'`)
  await expect(page.getByRole('combobox', { name: 'Into' })).toHaveValue('At the top')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  const [imported] = await call('GET', `/api-requests?engagementId=${engagementId}`)
  expect(imported.folderId).toBeNull()
  expect((await call('GET', `/api-requests/${imported.id}`)).url).toBe('{{base}}/login')

  const request = await call('POST', '/api-requests', { engagementId, name: 'Read', url: `${side.origin}/a` })
  await call('POST', `/api-requests/${request.id}/execute`, {})
  const day = (new Date().getUTCDay() + 2) % 7 || 7
  const testingHours = { timeZone: 'UTC', windows: [{ days: [day], from: '09:00', to: '10:00' }] }
  await visit(page, `${home}/${request.id}`)
  await expect(page.getByRole('status').filter({ hasText: '200 OK' })).toBeVisible()
  await call('PATCH', `/engagements/${engagementId}/details`, { testingHours })
  await page.getByLabel('Address', { exact: true }).press('Control+Enter')
  await expect(
    page.getByText(/outside the testing hours \(\w{3} 09:00 to 10:00, UTC\): the next window begins on .+ at 09:00/),
  ).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: '200 OK' })).toBeHidden()
})
