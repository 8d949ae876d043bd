import { expectAccessible } from '../support/pages/accessible.ts'
import { chooseFrom } from '../support/pages/choice.ts'
import { visit } from '../support/pages/visit.ts'
import { openRequests, test } from '../support/requests.ts'
import { expect } from '../support/server/sortie.ts'

test('HTML and XML responses are formatted and coloured, and can be shown as they came', async ({
  page,
  sortie,
  side,
}) => {
  const { home, engagementId, call } = await openRequests(page, sortie, side)
  const lines = () => page.getByRole('region', { name: 'Response body' }).locator('code').allTextContents()
  const html = await call('POST', '/api-requests', { engagementId, name: 'Page', url: `${side.origin}/page` })
  await visit(page, `${home}/${html.id}`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect
    .poll(lines)
    .toEqual([
      '<!doctype html>',
      '<html>',
      '  <head>',
      '    <title>Shop</title>',
      '    <script>if (1 < 2) go("</p>")</script>',
      '  </head>',
      '  <body>',
      '    <p>',
      '      Hello',
      '      <br>',
      '      you',
      '    </p>',
      '    <ul>',
      '      <li>',
      '        One',
      '        <li>',
      '          Two',
      '    </ul>',
      '  </body>',
      '</html>',
    ])
  await expect(
    page.getByRole('region', { name: 'Response body' }).locator('[data-kind="name"]').filter({ hasText: '<title' }),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByText('Raw', { exact: true }).click()
  await expect.poll(async () => (await lines()).length).toBeLessThan(3)

  const xml = await call('POST', '/api-requests', { engagementId, name: 'Feed', url: `${side.origin}/feed` })
  await visit(page, `${home}/${xml.id}`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect
    .poll(lines)
    .toEqual(['<?xml version="1.0"?>', '<a:order id="7">', '  <item>Lamp</item>', '  <empty/>', '</a:order>'])
})

test('a JSON or XML body is coloured while it is typed, the copy is below the text, and the address has space next to the response', async ({
  page,
  sortie,
  side,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const { home, engagementId, call } = await openRequests(page, sortie, side)
  const url = `${side.origin}/api/v1/customers/7/orders/123`
  const request = await call('POST', '/api-requests', {
    engagementId,
    name: 'Order',
    method: 'POST',
    url,
    body: { mode: 'json', text: '{"a": 1}' },
  })
  await visit(page, `${home}/${request.id}`)
  const address = page.getByLabel('Address', { exact: true })
  await expect(address).toHaveValue(url)
  expect(await address.evaluate((input: HTMLInputElement) => input.scrollWidth <= input.clientWidth)).toBe(true)

  const field = page.getByLabel('JSON', { exact: true })
  const copy = page.locator('pre[aria-hidden]')
  await expect(copy.locator('.tok-number')).toHaveText('1')
  await field.press('End')
  await field.press('ArrowLeft')
  await page.keyboard.type(`, "name": "${'long value '.repeat(30)}"`)
  await expect(copy.locator('.tok-string')).not.toHaveCount(0)
  expect(await copy.innerText()).toContain(await field.inputValue())
  // The same width wraps the same words.
  const heights = await field.evaluate((input: HTMLTextAreaElement) => {
    const shown = input.parentElement?.closest('div')?.ownerDocument.querySelector('pre[aria-hidden]') as HTMLElement
    const [a, b] = [input.getBoundingClientRect(), shown.getBoundingClientRect()]
    return {
      place: [a.left - b.left, a.top - b.top, a.width - b.width, a.height - b.height].map(Math.round),
      lines: input.scrollHeight - shown.scrollHeight,
    }
  })
  expect(heights.place).toEqual([0, 0, 0, 0])
  expect(Math.abs(heights.lines)).toBeLessThan(4)
  await expectAccessible(page)

  await chooseFrom(page.getByRole('combobox', { name: 'Body' }), 'raw')
  await page.getByLabel('Content type').fill('application/xml')
  await page.getByLabel('Text', { exact: true }).fill('<order id="7"/>')
  await expect(copy.locator('.tok-typeName')).toHaveText('order')
})
