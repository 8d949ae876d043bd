import { once } from 'node:events'
import http from 'node:http'
import type { Page } from '@playwright/test'
import { freePort } from '../../server/test/support/app/server-process.ts'
import { startRawReceiver } from '../../server/test/support/races/receiver.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { chooseFrom } from '../support/pages/choice.ts'
import { pressSequence } from '../support/pages/keys.ts'
import { openScans, tabTo, test } from '../support/scans.ts'
import { nightlyOf } from '../support/server/nightly.ts'
import { expect } from '../support/server/sortie.ts'

const nightly = nightlyOf(test)

// Sequentially: all share one server, which each worker would start again.
test.describe.configure({ mode: 'default' })

/** The page of a scan shows how it ended. */
const ended = (page: Page, state: string) =>
  expect(page.getByRole('main').getByText(state, { exact: true })).toBeVisible({ timeout: 60_000 })

test('a pasted target leads to its services without a pointer', async ({ page, sortie, side }) => {
  const { organization, home } = await openScans(sortie)
  await sortie.people.signIn(page, organization.owner, home)
  await expect(page.getByRole('heading', { name: 'Contoso', level: 1 })).toBeVisible()
  await pressSequence(page, ['g', 't'])
  await expect(page.getByRole('heading', { name: 'No targets yet' })).toBeVisible()
  await page.keyboard.press('p')
  await expect(page.getByLabel('Targets, one per line')).toBeFocused()
  await page.keyboard.type('127.0.0.1')
  await page.keyboard.press('Control+Enter')
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Done' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: /127\.0\.0\.1/ })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await tabTo(page, page.getByRole('button', { name: 'Scan', exact: true }))
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'New scan', level: 1 })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'One chosen target' })).toBeChecked()
  await expect(page.getByText('1 target.')).toBeVisible()
  await expectAccessible(page)
  await tabTo(page, page.getByRole('checkbox', { name: /DNS/ }))
  await page.keyboard.press('Space')
  const ports = page.getByLabel('Ports', { exact: true }).and(page.getByRole('combobox'))
  await tabTo(page, ports)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(String(side.port))
  await page.keyboard.press('Control+Enter')

  await expect(page.getByRole('heading', { name: /127\.0\.0\.1/, level: 1 })).toBeVisible()
  await ended(page, 'Done')
  await expect(page.getByRole('log')).toContainText('127.0.0.1: 1 of 1 ports are open')
  await expectAccessible(page)
  await tabTo(page, page.getByRole('link', { name: 'Show results' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: new RegExp(`127\\.0\\.0\\.1:${side.port}/tcp`) }).first()).toBeVisible()

  await pressSequence(page, ['g', 'n'])
  await expect(page.getByRole('grid', { name: 'Scans' }).getByRole('row', { name: /127\.0\.0\.1/ })).toContainText(
    'Done',
  )
})

nightly(
  'new services between two scans are shown as a difference, and can be scanned themselves',
  async ({ page, sortie, side }) => {
    const { organization, home, create } = await openScans(sortie)
    const target = await create('/targets', { value: '127.0.0.1' })
    const late = await freePort()
    const ports = `${side.port},${late}`
    const scan = await create('/scans', {
      name: 'The first look',
      scanners: [{ id: 'ports', options: { ports } }],
      targets: { ids: [target.id] },
    })
    await sortie.people.signIn(page, organization.owner, `${home}/scans/${scan.id}`)
    await ended(page, 'Done')
    const other = http.createServer((_, response) => void response.end('late')).listen(late, '127.0.0.1')
    await once(other, 'listening')
    await page.getByRole('button', { name: 'Repeat' }).click()
    await expect(page).not.toHaveURL(new RegExp(scan.id))
    await ended(page, 'Done')
    other.close()
    other.closeAllConnections()
    const counts = page.getByRole('term').filter({ hasText: /^New$/ }).locator('..')
    await counts.getByRole('link', { name: '1' }).click()
    await expect(page.getByRole('heading', { name: 'Changes', level: 1 })).toBeVisible()
    await expect(page.getByText('1 new result.')).toBeVisible()
    await chooseFrom(page.getByRole('combobox', { name: 'Kind' }), 'service')
    await expect(page.getByText('1 new service.')).toBeVisible()
    await page.getByRole('row', { name: new RegExp(`127\\.0\\.0\\.1:${late}/tcp`) }).click()
    await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('It did not exist before.')
    await expectAccessible(page)

    await chooseFrom(page.getByRole('combobox', { name: 'Kind' }), '')
    await chooseFrom(page.getByRole('combobox', { name: 'From' }), 'today')
    await expect(page.getByText(/^\d new results\.$/)).toBeVisible()
    await chooseFrom(page.getByRole('combobox', { name: 'To' }), '')
    await page.getByRole('link', { name: 'Scan new targets' }).click()
    await expect(page.getByRole('radio', { name: 'New results' })).toBeChecked()
    await expect(page.getByText(/^\d new results: their targets are scanned\.$/)).toBeVisible()
  },
)

nightly(
  'a running scan is cancelled from its page, and from the overview with everything else: sequences of requests, and schedules',
  async ({ page, sortie }) => {
    const { organization, engagementId, home, call, create } = await openScans(sortie)
    const target = await create('/targets', { value: '127.0.0.1' })
    const slow = () =>
      create('/scans', {
        name: 'A slow one',
        scanners: [{ id: 'ports', options: { ports: 'top-1000', rate: 1 } }],
        targets: { ids: [target.id] },
      })
    const scan = await slow()
    await sortie.people.signIn(page, organization.owner, `${home}/scans/${scan.id}`)
    await expect(page.getByRole('progressbar', { name: 'Progress of the scan' })).toBeVisible()
    await page.getByRole('button', { name: 'Cancel the scan' }).click()
    await expect(page.getByRole('dialog')).toContainText('Its results are kept')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the scan' }).click()
    await ended(page, 'Cancelled')
    await expect(page.getByRole('button', { name: 'Repeat' })).toBeVisible()

    const other = await slow()
    const schedule = await create('/scan-schedules', {
      name: 'Nightly',
      cron: '0 2 * * *',
      timeZone: 'UTC',
      scanners: [{ id: 'ports', options: { ports: '9' } }],
      targets: { filter: { engagementId } },
    })
    const silent = await startRawReceiver(() => undefined)
    const folder = await create('/request-folders', { name: 'Never answered' })
    await create('/api-requests', { folderId: folder.id, name: 'Waits', url: `${silent.origin}/` })
    const executing = call('POST', `/request-folders/${folder.id}/execute`, {})
    await page.goto(home)
    await expect(page.getByRole('link', { name: 'A slow one' })).toBeVisible()
    await expect(page.getByText('1 sequence of requests runs')).toBeVisible()
    await expect(page.getByText('1 schedule is on')).toBeVisible()
    await page.getByRole('button', { name: 'Stop everything' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop everything' }).click()
    await expect(page.getByText('Everything stopped.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Under way' })).toHaveCount(0)
    expect((await executing).state).toBe('cancelled')
    expect((await call('GET', `/scans/${other.id}`)).state).toBe('cancelled')
    expect((await call('GET', `/scan-schedules/${schedule.id}`)).enabled).toBe(false)
    await silent.close()
  },
)

test('a scan of a target out of scope is refused in words; an owner may override that with a reason, a member may not', async ({
  page,
  otherPage,
  sortie,
  side,
}) => {
  const { organization, home, create } = await openScans(sortie)
  const member = await sortie.people.member(organization, 'member')
  await create('/targets', { value: '127.0.0.1' })
  await create('/scope-rules', { effect: 'deny', pattern: '127.0.0.1' })
  for (const [person, tab] of [
    [member, otherPage],
    [organization.owner, page],
  ] as const) {
    await sortie.people.signIn(tab, person, `${home}/scans/new`)
    await tab.getByRole('button', { name: 'None' }).click()
    await tab.getByRole('checkbox', { name: /Ports/ }).check()
    await tab.getByLabel('Ports', { exact: true }).and(tab.getByRole('combobox')).fill(String(side.port))
    await tab.getByRole('radio', { name: 'Some, by kind or tag' }).check()
    await tab.getByRole('button', { name: 'Start the scan' }).click()
    await expect(tab.getByRole('alert').filter({ hasText: '127.0.0.1 is out of scope' })).toBeVisible()
  }
  await expect(otherPage.getByText('Override scope and testing hours')).toHaveCount(0)
  await page.getByRole('button', { name: 'Override' }).click()
  await expect(page.getByRole('button', { name: 'Start despite the rules' })).toBeDisabled()
  await page.getByLabel('Reason').fill('Agreed with the client by phone')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Start despite the rules' }).click()
  await expect(page.getByRole('note').filter({ hasText: 'Scope and testing hours were overridden' })).toContainText(
    'Agreed with the client by phone',
  )
})

test('a schedule is described in words, and is changed, switched off and deleted', async ({ page, sortie }) => {
  const { organization, home } = await openScans(sortie)
  await sortie.people.signIn(page, organization.owner, `${home}/scans/schedules`)
  await expect(page.getByRole('heading', { name: 'No schedules yet' })).toBeVisible()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Perimeter')
  await chooseFrom(dialog.getByLabel('Repeats'), 'weekly')
  await chooseFrom(dialog.getByLabel('On', { exact: true }), 'Wednesday')
  await dialog.getByLabel('At', { exact: true }).fill('06:30')
  await expect(dialog.getByText(/^Every Wednesday at 06:30, /)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add schedule' }).click()
  await expect(page.getByText('Scheduled Perimeter.')).toBeVisible()
  const row = page.getByRole('grid', { name: 'Schedules' }).getByRole('row', { name: /Perimeter/ })
  await expect(row).toContainText('Every Wednesday at 06:30')
  await expect(row).toContainText(/in \d+ (?:day|hour)s?|tomorrow/)
  await row.click()
  const peek = page.getByRole('complementary', { name: 'Preview' })
  await peek.getByRole('button', { name: 'Edit' }).click()
  await chooseFrom(dialog.getByLabel('Repeats'), 'cron')
  await dialog.getByLabel('Cron').fill('* * * * *')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByLabel('Cron')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Cron').fill('0 */6 * * *')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(peek.getByText(/^At 0 \*\/6 \* \* \* \(cron\)/)).toBeVisible()
  await peek.getByRole('button', { name: 'Turn off' }).click()
  await expect(peek.getByText('none while it is off')).toBeVisible()
  await peek.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete schedule' }).click()
  await expect(page.getByRole('heading', { name: 'No schedules yet' })).toBeVisible()
})

test('the operation log answers whether traffic was ours, and its coverage if it has no entry', async ({
  page,
  sortie,
  side,
}) => {
  const { organization, home, create } = await openScans(sortie)
  const target = await create('/targets', { value: '127.0.0.1' })
  const scan = await create('/scans', {
    scanners: [{ id: 'ports', options: { ports: String(side.port) } }],
    targets: { ids: [target.id] },
  })
  await sortie.people.signIn(page, organization.owner, `${home}/scans/${scan.id}`)
  await ended(page, 'Done')
  await page.getByRole('link', { name: 'Operation log' }).click()
  const grid = page.getByRole('grid', { name: 'Operations' })
  const ask = async (address: string) => {
    await page.getByLabel('Address, name or network').fill(address)
    await page.getByRole('button', { name: 'Was that us?' }).click()
  }
  await page
    .getByLabel(/give or take a minute/)
    .fill(
      await page.evaluate(() =>
        new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 16),
      ),
    )
  await ask('127.0.0.0/30')
  await expect(grid.getByRole('row', { name: /127\.0\.0\.1/ })).toContainText(organization.owner.name)
  await grid.getByRole('row', { name: /127\.0\.0\.1/ }).click()
  await expect(page.getByRole('complementary', { name: 'Preview' }).getByRole('link', { name: 'Scan' })).toBeVisible()
  await ask('192.0.2.55')
  await expect(page.getByRole('heading', { name: 'No matching entries' })).toBeVisible()
  await expect(page.getByText('entries that members added')).toBeVisible()
  await expectAccessible(page)

  // At any time: the minute of the question may be over.
  await page.getByLabel(/give or take a minute/).fill('')
  await ask('192.0.2.55')
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address', { exact: true }).fill('192.0.2.55')
  await dialog.getByLabel('Port', { exact: true }).fill('443')
  await dialog.getByLabel('Note').fill('By hand, from the office')
  await page.keyboard.press('Control+Enter')
  await expect(grid.getByRole('row', { name: /192\.0\.2\.55:443/ })).toContainText('Added by hand')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
  const text = await (await download.createReadStream()).toArray()
  expect(Buffer.concat(text).toString()).toContain('By hand, from the office')
})
