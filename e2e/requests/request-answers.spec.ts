import type { Page } from '@playwright/test'
import { hereMs } from '../../server/test/support/app/machine.ts'
import { visit } from '../support/pages/visit.ts'
import { LONG_BODY, openRequests, test } from '../support/requests.ts'
import { nightlyOf } from '../support/server/nightly.ts'
import { expect } from '../support/server/sortie.ts'

const nightly = nightlyOf(test)

/** Processor time of the page for one step of a scroll; a frame has 16 ms, and test machines are slow. */
const MAX_STEP_MS = 50
const STEPS = 120

/** Processor time of the page's main thread, which other programs hardly affect. */
const processorSeconds = async (page: Page): Promise<() => Promise<number>> => {
  const client = await page.context().newCDPSession(page)
  await client.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await client.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
}

nightly(
  'the response pane stays smooth with 10 MB: in any view few rows are in the page, and a scroll costs little',
  async ({ page, sortie, side }) => {
    const { home, create } = await openRequests(page, sortie, side)
    const { id } = await create('/api-requests', { name: 'Long', url: `${side.origin}/long` })
    expect(LONG_BODY.length).toBeGreaterThan(10_000_000)
    await page.goto(`${home}/${id}`)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const answer = page.getByRole('region', { name: 'Response body' })
    // It is sent, stored and read before: ten megabytes each time.
    await expect(answer).toContainText('{"users":[{"id":0,', { timeout: 60_000 })
    const spent = await processorSeconds(page)
    const before = await spent()
    const scrolled = await answer.evaluate(async (pane, steps) => {
      let mostRows = 0
      for (let step = 1; step <= steps; step++) {
        pane.scrollTop = (step / steps) * pane.scrollHeight
        await new Promise((resolve) => requestAnimationFrame(resolve))
        mostRows = Math.max(mostRows, pane.querySelectorAll('code').length)
      }
      return { mostRows, height: pane.scrollHeight }
    }, STEPS)
    const stepMs = (((await spent()) - before) * 1_000) / STEPS
    expect(scrolled.height).toBeGreaterThan(1_000_000)
    expect(scrolled.mostRows).toBeLessThan(100)
    expect(stepMs).toBeLessThan(hereMs(MAX_STEP_MS))
    await expect(answer).toContainText('"id":239999,')
    await answer.focus()
    await page.keyboard.press('Home')
    await expect(answer).toContainText('{"users":[{"id":0,')
  },
)

nightly(
  'Ctrl+Enter sends the current request, and Ctrl+S saves it, from any field with the focus; behind a dialog neither does',
  async ({ page, sortie, side }) => {
    const { home, call, create } = await openRequests(page, sortie, side)
    const { id } = await create('/api-requests', { name: 'By keys', url: `${side.origin}/keys` })
    await page.goto(`${home}/${id}`)
    const runs = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
    const fields = [
      page.getByLabel('Address', { exact: true }),
      page.getByRole('combobox', { name: 'Method' }),
      page.getByLabel('Name of parameter 1'),
    ]
    for (const [sent, field] of fields.entries()) {
      await field.focus()
      await page.keyboard.press('Control+Enter')
      await expect(runs).toHaveCount(sent + 1)
    }
    expect(side.received.filter(({ url }) => url === '/keys')).toHaveLength(fields.length)
    for (const [index, field] of fields.entries()) {
      await fields[0]?.fill(`${side.origin}/saved/${index}`)
      await field.focus()
      await page.keyboard.press('Control+s')
      await expect
        .poll(async () => (await call('GET', `/api-requests/${id}`)).url)
        .toBe(`${side.origin}/saved/${index}`)
    }
    expect(side.received.filter(({ url }) => url.startsWith('/saved'))).toEqual([])
    await page.getByRole('button', { name: 'Use as evidence' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.getByLabel('Severity').focus()
    await page.keyboard.press('Control+s')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(runs).toHaveCount(fields.length)
  },
)

test('a cURL command pasted into the address field becomes the request: method, headers and body, as Chrome copies it', async ({
  page,
  sortie,
  side,
}) => {
  const { home, engagementId, call } = await openRequests(page, sortie, side)
  await visit(page, `${home}/new`)
  const address = page.getByLabel('Address', { exact: true })
  const command = String.raw`curl '${side.origin}/api/orders?page=2' \
  -X 'PATCH' \
  -H 'accept: application/json' \
  -H 'content-type: application/json' \
  -b 'sid=1; theme=dark' \
  --data-raw $'{"note":"it\'s paid"}' \
  --compressed`
  await address.evaluate((field, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, command)
  await expect(page.getByRole('heading', { level: 1, name: '/api/orders' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Method' })).toHaveValue('PATCH')
  await expect(address).toHaveValue(`${side.origin}/api/orders?page=2`)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('status').filter({ hasText: '200 OK' })).toBeVisible()
  const sent = side.received.at(-1)
  expect(sent).toMatchObject({ method: 'PATCH', url: '/api/orders?page=2', body: `{"note":"it's paid"}` })
  expect(sent?.headers).toMatchObject({
    accept: 'application/json',
    'content-type': 'application/json',
    cookie: 'sid=1; theme=dark',
  })
  expect(await call('GET', `/api-requests?engagementId=${engagementId}`)).toHaveLength(1)
  // Other text stays text.
  await address.fill('')
  await address.focus()
  await page.keyboard.insertText('https://example.com/curl')
  await expect(address).toHaveValue('https://example.com/curl')
})

nightly(
  'a response shows its headers, its timing as bars, and the history its sender',
  async ({ page, sortie, side }) => {
    const { home, create, organization } = await openRequests(page, sortie, side)
    const { id } = await create('/api-requests', { name: 'Shown', url: `${side.origin}/shown` })
    await page.goto(`${home}/${id}`)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('tab', { name: /^Headers \(\d+\)$/ }).click()
    await expect(page.getByText('application/json').first()).toBeVisible()
    await page.getByRole('tab', { name: 'Timing' }).click()
    const bars = page.getByRole('tabpanel', { name: 'Timing' }).locator('progress')
    await expect(bars).toHaveCount(5)
    await expect(bars.last()).toHaveJSProperty(
      'value',
      await bars.last().evaluate((bar: HTMLProgressElement) => bar.max),
    )
    await expect(page.getByRole('list', { name: 'Runs' }).getByRole('listitem')).toContainText(organization.owner.name)
  },
)
