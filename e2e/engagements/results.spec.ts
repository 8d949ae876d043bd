import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/pages/accessible.ts'
import { chooseFrom } from '../support/pages/choice.ts'
import { pressSequence } from '../support/pages/keys.ts'
import { menuField } from '../support/pages/menu-field.ts'
import { visit } from '../support/pages/visit.ts'
import { nightly } from '../support/server/nightly.ts'
import type { People, TestOrganization } from '../support/server/people.ts'
import { expect, test } from '../support/server/sortie.ts'

const port = (number: number, name: string, product: string) =>
  `<port protocol="tcp" portid="${number}"><state state="open" reason="syn-ack"/><service name="${name}" product="${product}" method="probed" conf="10"/></port>`

/** Output of nmap for one host whose ports 1 to 1000 it examined. */
const nmap = (start: number, ports: string) => `<?xml version="1.0" encoding="UTF-8"?>
<nmaprun scanner="nmap" args="nmap -sS -sV -oX - 192.0.2.10" start="${start}" version="7.95" xmloutputversion="1.05">
<scaninfo type="syn" protocol="tcp" numservices="1000" services="1-1000"/>
<host starttime="${start}" endtime="${start + 5}"><status state="up" reason="echo-reply"/><address addr="192.0.2.10" addrtype="ipv4"/>
<ports>${ports}</ports></host>
<runstats><finished time="${start + 6}" elapsed="6" exit="success"/><hosts up="1" down="0" total="1"/></runstats>
</nmaprun>`

const FIRST = nmap(1_790_000_000, port(22, 'ssh', 'OpenSSH') + port(443, 'https', 'nginx'))
const SECOND = nmap(1_790_100_000, port(443, 'https', 'nginx') + port(80, 'http', 'nginx'))

const engagementOf = async (people: People, organization: TestOrganization): Promise<{ id: string; path: string }> => {
  const { id } = (
    await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Contoso' }, organization.id)
  ).body.data
  return { id, path: `/o/${organization.slug}/engagements/${id}` }
}

/** Drops a file on the page, as a user does from the desktop. */
const drop = async (page: Page, name: string, text: string) => {
  const transfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const data = new DataTransfer()
      data.items.add(new File([content as string], fileName as string))
      return data
    },
    [name, text],
  )
  await page
    .getByRole('grid', { name: 'Imports' })
    .or(page.getByRole('heading', { name: 'No imports yet' }))
    .first()
    .dispatchEvent('drop', { dataTransfer: transfer })
}

const preview = (page: Page) => page.getByRole('complementary', { name: 'Preview' })
const counted = (page: Page, name: string) =>
  preview(page)
    .locator('dl > div')
    .filter({ hasText: new RegExp(`^${name}\\d`) })

test('a file of nmap is imported from the desktop; the next one is previewed, applied, and undone', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path } = await engagementOf(people, organization)
  await people.signIn(page, organization.owner, `${path}/results`)
  await expect(page.getByRole('heading', { name: 'No results yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Import files of scanners' }).click()
  await expect(page.getByRole('heading', { name: 'No imports yet' })).toBeVisible()

  await drop(page, 'perimeter.xml', FIRST)
  await expect(preview(page).getByRole('heading', { name: 'perimeter.xml' })).toBeVisible()
  await expect(preview(page).getByText('Applied', { exact: true })).toBeVisible()
  await expect(counted(page, 'New')).toContainText('5')
  await preview(page).getByRole('link', { name: 'Show results' }).click()
  await expect(page.getByText('5 results')).toBeVisible()
  await expect(page).toHaveURL(/importId=imp_/)
  await page.getByRole('button', { name: 'Services 2' }).click()
  const results = page.getByRole('grid', { name: 'Results' })
  await expect(results.getByRole('row')).toHaveCount(3)
  await results.getByRole('row', { name: /443\/tcp/ }).click()
  await expect(preview(page).getByRole('region', { name: 'History' })).toContainText('First seen')
  await expect(preview(page)).toContainText('nginx')

  await visit(page, `${path}/imports`)
  await page.getByRole('button', { name: 'Options' }).click()
  await page.getByLabel('Preview first').check()
  await page.keyboard.press('Escape')
  await expect(page.getByText('preview first')).toBeVisible()
  await drop(page, 'again.xml', SECOND)
  await expect(preview(page).getByRole('heading', { name: 'again.xml' })).toBeVisible()
  await expect(counted(page, 'New')).toContainText('2')
  // The service at the port that is closed now, and the technology that ran there.
  await expect(counted(page, 'Gone')).toContainText('2')
  await preview(page).getByRole('button', { name: 'Apply' }).click()
  await expect(preview(page).getByText('Applied', { exact: true })).toBeVisible()
  await visit(page, `${path}/results?kind=service&state=gone`)
  await expect(results.getByRole('row', { name: /22\/tcp/ })).toContainText('Gone')

  await page.goBack()
  await preview(page).getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(preview(page).getByText('Undone', { exact: true })).toBeVisible()
  await preview(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete import' }).click()
  await expect(page.getByRole('grid', { name: 'Imports' }).getByRole('row')).toHaveCount(2)
  await visit(page, `${path}/results?state=gone`)
  await expect(page.getByRole('heading', { name: 'No result matches these filters' })).toBeVisible()
})

nightly('an unreadable file shows the reason, and a truncated one the rejected part', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path } = await engagementOf(people, organization)
  await people.signIn(page, organization.owner, `${path}/imports`)
  await drop(page, 'notes.txt', 'nothing that a scanner writes\n')
  await expect(preview(page).getByText('Failed', { exact: true })).toBeVisible()
  await expect(preview(page).getByRole('note')).not.toBeEmpty()
  await drop(page, 'cut.xml', FIRST.slice(0, FIRST.indexOf('<runstats>')))
  await expect(preview(page).getByRole('heading', { name: 'cut.xml' })).toBeVisible()
  await expect(preview(page).getByText('Partly imported', { exact: true })).toBeVisible()
  await expect(preview(page).getByRole('note')).not.toBeEmpty()
  await page.getByLabel('Filter').fill('state:failed')
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 import')).toBeVisible()
})

nightly(
  'the calculator makes a vector of radio buttons, by keyboard too, and keeps the values that both versions share',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const { path } = await engagementOf(people, organization)
    await people.signIn(page, organization.owner, `${path}/results?write=true`)
    const dialog = page.getByRole('dialog')
    const vector = dialog.getByLabel('CVSS vector')
    await vector.fill('CVSS:3.1/AV:L/E:P')
    await dialog.getByRole('button', { name: 'Calculate the vector' }).click()
    await expect(dialog.getByRole('group', { name: 'Base metrics' })).toContainText('Choose each metric.')
    const choose = (metric: string, value: string) =>
      dialog.getByRole('radiogroup', { name: metric }).getByRole('radio', { name: value, exact: true }).check()
    await expect(
      dialog.getByRole('radiogroup', { name: 'Attack vector' }).getByRole('radio', { name: 'Local' }),
    ).toBeChecked()
    await dialog.getByRole('radiogroup', { name: 'Attack vector' }).getByRole('radio', { name: 'Local' }).focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await choose('Attack complexity', 'Low')
    await choose('Privileges required', 'None')
    await choose('User interaction', 'Required')
    await choose('Scope', 'Changed')
    for (const metric of ['Confidentiality', 'Integrity']) await choose(metric, 'Low')
    await choose('Availability', 'None')
    await expect(vector).toHaveValue('CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N/E:P')
    await expect(dialog.getByRole('status')).toContainText('5.8Medium')
    await expectAccessible(page)
    await chooseFrom(dialog.getByLabel('Version of CVSS'), 'CVSS:4.0')
    await expect(vector).toHaveValue('CVSS:4.0/AV:N/AC:L/PR:N')
    await dialog.getByLabel('Title').fill('Reflected script')
    await dialog.getByLabel('Asset').fill('https://portal.contoso.example')
    for (const [metric, value] of [
      ['Attack requirements', 'None'],
      ['User interaction', 'None'],
      ['Confidentiality of the vulnerable system', 'High'],
      ['Integrity of the vulnerable system', 'High'],
      ['Availability of the vulnerable system', 'High'],
      ['Confidentiality of systems behind it', 'High'],
      ['Integrity of systems behind it', 'High'],
      ['Availability of systems behind it', 'High'],
    ] as const)
      await choose(metric, value)
    await expect(dialog.getByRole('status')).toContainText('10.0Critical')
    await page.keyboard.press('Control+Enter')
    await expect(preview(page)).toContainText('CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H')
  },
)

test('a vulnerability is written, scored, triaged by keyboard and given evidence; an archived engagement is read-only', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id, path } = await engagementOf(people, organization)
  for (const title of ['Directory listing', 'Weak cipher'])
    await people.call(
      organization.owner,
      'POST',
      '/api/web/results',
      { engagementId: id, title, asset: 'https://www.contoso.example', severity: 'low' },
      organization.id,
    )
  await people.signIn(page, organization.owner, `${path}/results`)
  await page.getByRole('button', { name: 'New vulnerability' }).click()
  await page.getByLabel('Title').fill('Login without a password')
  await page.getByLabel('Asset').fill('https://portal.contoso.example')
  await page.getByLabel('CVSS vector').fill('CVSS:3.1/AV:N')
  await page.getByRole('button', { name: 'Add vulnerability' }).click()
  await expect(page.getByText('Must be a complete vector of CVSS 3.0, 3.1 or 4.0.')).toBeVisible()
  await page.getByLabel('CVSS vector').fill('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H')
  await page.keyboard.press('Control+Enter')
  await expect(preview(page).getByRole('heading', { name: 'Login without a password' })).toBeVisible()
  await expect(preview(page)).toContainText('9.8')
  await expect(menuField(page, 'Severity')).toHaveAccessibleName(/Critical/)

  await pressSequence(page, ['s', 'c'])
  await expect(menuField(page, 'Status')).toHaveAccessibleName(/Confirmed/)
  await preview(page).getByRole('button', { name: 'Write notes' }).click()
  await preview(page).getByRole('textbox', { name: 'Notes' }).fill('Seen with **curl**.')
  await page.keyboard.press('Control+Enter')
  await expect(preview(page).locator('strong')).toHaveText('curl')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    preview(page).getByRole('button', { name: 'Add files' }).click(),
  ])
  await chooser.setFiles({ name: 'proof.txt', mimeType: 'text/plain', buffer: Buffer.from('HTTP/1.1 200 OK') })
  await expect(preview(page).getByRole('link', { name: 'proof.txt' })).toBeVisible()
  await preview(page).getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Login with an empty password')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(preview(page).getByRole('heading', { name: 'Login with an empty password' })).toBeVisible()
  await preview(page).getByRole('button', { name: 'Close the preview' }).click()

  const results = page.getByRole('grid', { name: 'Results' })
  await results
    .getByRole('row', { name: /Directory listing/ })
    .getByLabel('Select')
    .check()
  await results
    .getByRole('row', { name: /Weak cipher/ })
    .getByLabel('Select')
    .check()
  await pressSequence(page, ['s', 'f'])
  await expect(page.getByText('2 results changed.')).toBeVisible()
  await page.keyboard.press('3')
  await expect(results.getByRole('row', { name: /Weak cipher/ })).toContainText('Medium')
  await expect(results.getByRole('row', { name: /Weak cipher/ })).toContainText('False positive')
  // By keyboard: the message about the previous change covers it for a while.
  await page.getByRole('button', { name: 'Assign and tag' }).press('Enter')
  await chooseFrom(page.getByRole('dialog').getByLabel('Assignee'), organization.owner.name)
  await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByLabel('Filter', { exact: true }).fill('assigneeId:me status:false_positive')
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 results', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('results.csv')

  for (const status of ['completed', 'archived'])
    await people.call(organization.owner, 'PATCH', `/api/web/engagements/${id}`, { status }, organization.id)
  await page.goto(`${path}/results`)
  await results.getByRole('row', { name: /Weak cipher/ }).click()
  await expect(preview(page).getByRole('heading', { name: 'Weak cipher' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'New vulnerability' })).toHaveCount(0)
  await expect(preview(page).getByRole('combobox')).toHaveCount(0)
  await expect(results.getByRole('checkbox')).toHaveCount(0)
  await visit(page, `${path}/imports`)
  await expect(page.getByRole('heading', { name: 'No imports yet' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import files' })).toHaveCount(0)
})

test('on a phone an asset has the width that the rest of its line leaves over', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { id, path } = await engagementOf(people, organization)
  const asset = 'portal.contoso.example'
  const body = { engagementId: id, title: 'Old TLS', asset, severity: 'low' }
  await people.call(organization.owner, 'POST', '/api/web/results', body, organization.id)
  await page.setViewportSize({ width: 390, height: 844 })
  await people.signIn(page, organization.owner, `${path}/results`)
  const shown = page.getByRole('row').getByText(asset)
  await expect(shown).toBeVisible()
  const cell = await shown.evaluate((element) => {
    const around = element.closest('[role="gridcell"]') as HTMLElement
    const row = around.closest('[role="row"]') as HTMLElement
    return { cut: around.scrollWidth - around.clientWidth, lost: row.scrollHeight - row.clientHeight }
  })
  expect(cell.cut).toBeLessThanOrEqual(0)
  expect(cell.lost).toBeLessThanOrEqual(0)
  await expect(page.getByRole('row').filter({ hasText: asset })).toContainText(/Open/)
})
