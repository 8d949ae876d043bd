import { expect as expectNow, type Page } from '@playwright/test'
import { engagementWithFindings } from '../support/findings.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { chooseFrom } from '../support/pages/choice.ts'
import type { People, Person, TestOrganization } from '../support/server/people.ts'
import { expect, test } from '../support/server/sortie.ts'

const grid = (page: Page) => page.getByRole('grid', { name: 'Library entries' })
const texts = (page: Page) => page.getByRole('main')

const asking =
  (people: People, organization: TestOrganization, person: Person) =>
  async (method: string, path: string, body?: object) => {
    const answer = await people.call(person, method, `/api/web${path}`, body, organization.id)
    expectNow(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
const entryOf = (key: string, en: object, more = {}) => ({ key, mainLanguage: 'en', texts: { en }, ...more })

test('a built-in entry is found, duplicated, rewritten next to its preview, translated, and approved', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const ask = asking(people, organization, organization.owner)
  await people.signIn(page, organization.owner, `/o/${organization.slug}/library?builtIn=true&q=kerberoast`)
  const row = grid(page).getByRole('row').filter({ hasText: 'Kerberoasting' })
  await expect(row).toContainText('Built in')
  await expectAccessible(page)
  await row.getByRole('link').click()
  await expect(page.getByRole('region', { name: 'Recommendation' })).toBeVisible()
  await page.getByRole('link', { name: 'German' }).click()
  await expect(page.getByRole('region', { name: 'Title' })).toContainText('Kerberoasting')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Duplicate to edit' }).click()
  await expect(page.getByText(/You can now edit the copy/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit texts' })).toBeVisible()
  await page.keyboard.press('e')
  const summary = page.getByLabel('Summary', { exact: true })
  await summary.fill('Tickets of **service accounts** can be cracked.')
  await expect(
    page.getByRole('region', { name: 'Preview' }).locator('strong', { hasText: 'service accounts' }),
  ).toBeVisible()
  await expectAccessible(page)
  await summary.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText(
    'Tickets of service accounts can be cracked.',
  )

  await page.getByRole('button', { name: 'Add language' }).click()
  await page.getByRole('dialog').getByLabel('Language').fill('fr')
  await page.keyboard.press('Enter')
  await page.getByLabel('Title').fill('Mots de passe de comptes de service')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('region', { name: 'Title' })).toContainText('Mots de passe')
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('from English')

  await page.getByRole('link', { name: 'Versions (3)' }).click()
  await expect(page.getByRole('region', { name: 'Title, French' })).toContainText('+ Mots de passe')
  await page.getByRole('button', { name: /^Version 2/ }).click()
  await expect(page.getByRole('region', { name: 'Summary, English' })).toContainText(
    '+ Tickets of **service accounts**',
  )
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Approved. Suggestions use it from now on.')).toBeVisible()
  const [own] = (await ask('GET', '/library-entries?builtIn=false')).data
  expect(own).toMatchObject({ state: 'approved', version: 3, languages: ['de', 'en', 'fr'] })
})

test('severity, ids, rules and key of a draft are saved one by one, and a member cannot approve it', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const member = await people.member(organization, 'member')
  const ask = asking(people, organization, member)
  await people.signIn(page, member, `/o/${organization.slug}/library?create=true`)
  const dialog = page.getByRole('dialog', { name: 'New library entry' })
  await dialog.getByLabel('Title').fill('Open relay')
  await expect(dialog.getByLabel('Key')).toHaveAttribute('placeholder', 'open-relay')
  await dialog.getByRole('button', { name: 'Create entry' }).click()
  await page.getByLabel('Description', { exact: true }).fill('The server relays mail.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(texts(page)).toContainText('The server relays mail.')

  const vector = page.getByLabel(/^CVSS vector/)
  await vector.fill('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N')
  await vector.press('Enter')
  await expect(page.getByRole('button', { name: 'Severity Medium' })).toBeVisible()
  await page.getByRole('combobox', { name: 'CWE' }).fill('269')
  await page.getByRole('combobox', { name: 'CWE' }).press('Enter')
  const rules = page.getByLabel('Rules of tools')
  await rules.fill('nuclei')
  await rules.blur()
  await expect(page.getByText('"nuclei" has no rule.')).toBeVisible()
  await rules.fill('nuclei open-relay*\nnessus 10262')
  await rules.blur()
  await expect
    .poll(async () => {
      const [{ id }] = (await ask('GET', '/library-entries?builtIn=false')).data
      return (await ask('GET', `/library-entries/${id}`)).data
    })
    .toMatchObject({
      severity: 'medium',
      cwe: ['CWE-269'],
      rules: [
        { tool: 'nuclei', ruleId: 'open-relay*' },
        { tool: 'nessus', ruleId: '10262' },
      ],
    })
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Propose' }).click()
  await expect(page.getByText('Waiting for the owner or an admin to approve it.')).toBeVisible()
  const [{ id }] = (await ask('GET', '/library-entries?builtIn=false')).data
  await people.call(
    organization.owner,
    'PATCH',
    `/api/web/library-entries/${id}`,
    { state: 'approved' },
    organization.id,
  )
  await expect(page.getByText('Approved', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit texts' })).toHaveCount(0)
  await expect(rules).toHaveCount(0)
})

test('an entry proposed from a finding is approved once each piece of client data is replaced or confirmed', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { ask, add, id, path } = await engagementWithFindings(people, organization)
  await ask('PATCH', `/engagements/${id}/details`, { clientName: 'Contoso Ltd.' })
  const finding = await add({
    title: 'Weak gateway',
    severity: 'high',
    description: 'Contoso Ltd. runs vpn.contoso.de on 198.18.0.7.',
  })
  await people.signIn(page, organization.owner, `${path}/findings/${finding.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Propose for the library' }).click()
  const found = page.getByRole('list', { name: 'Data of the client' })
  await expect(found).toContainText('Contoso Ltd.')
  await expect(found).toContainText('vpn.contoso.de')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Edit texts' }).click()
  await page.getByLabel('Description', { exact: true }).fill('The gateway runs on 198.18.0.7.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(found).not.toContainText('Contoso')

  await page.getByRole('button', { name: 'Approve' }).click()
  const dialog = page.getByRole('dialog', { name: 'Approve Weak gateway?' })
  await dialog.getByRole('button', { name: 'Approve' }).press('Enter')
  await expect(dialog.getByText('Confirm each of these, or replace it in the texts first.')).toBeVisible()
  await dialog.getByRole('checkbox', { name: '198.18.0.7' }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Proposed from a finding')).toHaveCount(0)
  expect((await ask('GET', '/library-entries?builtIn=false')).data).toMatchObject([
    { title: 'Weak gateway', state: 'approved', fromFindingId: null },
  ])
})

test('an import shows what it would do and why entries are rejected, and then does it', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const ask = asking(people, organization, organization.owner)
  await people.signIn(page, organization.owner, `/o/${organization.slug}/library`)
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import library entries' })
  const vulnerabilities = [
    { cvssv3: '', details: [{ locale: 'EN', title: 'From a colleague', description: '<p>Seen <b>often</b>.</p>' }] },
    { details: [{ locale: 'en', title: '' }] },
  ]
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose a file' }).click()
  await (
    await chooser
  ).setFiles({
    name: 'vulnerabilities.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(vulnerabilities)),
  })
  await expect(dialog.getByRole('status')).toHaveText(
    'vulnerabilities.json: 1 new, 0 changed, 0 unchanged, 1 rejected.',
  )
  await expect(dialog.getByRole('table', { name: 'Rejected entries' })).toContainText('No. 2')
  await expectAccessible(page)
  expect((await ask('GET', '/library-entries?builtIn=false')).data).toEqual([])
  await chooseFrom(dialog.getByLabel('Format'), 'ghostwriter')
  await expect(dialog.getByRole('alert')).toBeVisible()
  await chooseFrom(dialog.getByLabel('Format'), 'auto')
  await dialog.getByRole('button', { name: 'Import 1 entry' }).click()
  await expect(dialog).toBeHidden()
  await expect(grid(page)).toContainText('From a colleague')
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(page.getByRole('menuitem', { name: 'JSON' })).toHaveAttribute(
    'href',
    /library-entries\/export\?format=json/,
  )
})

test('a finding made from the library says that its entry changed, takes over single texts, and remembers the comparison', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { ask, path, read, findings } = await engagementWithFindings(people, organization)
  const entry = entryOf('sessions', {
    title: 'Sessions never end',
    impact: 'Old impact.',
    recommendation: 'Old advice.',
  })
  const { id } = (await ask('POST', '/library-entries', entry)).data as { id: string }
  await ask('PATCH', `/library-entries/${id}`, { state: 'approved' })
  await people.signIn(page, organization.owner, `${path}/findings?create=true`)
  const dialog = page.getByRole('dialog', { name: 'New finding' })
  await dialog.getByRole('combobox', { name: 'From the library' }).fill('never')
  await page.getByRole('option', { name: 'Sessions never end' }).click()
  await dialog.getByRole('button', { name: 'Create finding' }).click()
  await expect(page).toHaveURL(/\?view=edit$/)
  const [finding] = await findings()
  expect(await read(finding?.id ?? '')).toMatchObject({ title: 'Sessions never end', impact: 'Old impact.' })

  await ask('PATCH', `/library-entries/${id}`, {
    texts: { en: { impact: 'New impact.', recommendation: 'New advice.' } },
  })
  await page.goto(`${path}/findings/${finding?.id}`)
  await expect(
    page.getByRole('status').filter({ hasText: 'this finding has version 1, the library has version 2' }),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Compare' }).click()
  await expect(page.getByRole('region', { name: 'Impact' })).toContainText('+ New impact.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use the text of the library for impact' }).click()
  await expect(page.getByRole('region', { name: 'Impact' })).toHaveCount(0)
  expect(await read(finding?.id ?? '')).toMatchObject({ impact: 'New impact.', recommendation: 'Old advice.' })
  await page.getByRole('button', { name: 'Mark as compared' }).click()
  await expect(page.getByRole('region', { name: 'Recommendation' })).toContainText('Old advice.')
  await expect(page.getByRole('link', { name: 'Compare' })).toHaveCount(0)
})

test('the palette finds library entries and opens them', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await asking(people, organization, organization.owner)(
    'POST',
    '/library-entries',
    entryOf('zinnia', { title: 'Zinnia exposure' }),
  )
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('zinnia')
  await page.getByRole('option', { name: 'Zinnia exposure' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Zinnia exposure' })).toBeVisible()
})

test('the owner turns four-eyes review on, and a writer can no longer approve', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  const { ask, add, path } = await engagementWithFindings(people, organization)
  const finding = await add({ title: 'Written by the owner', summary: 'Text.' })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/reports`)
  await page.getByRole('checkbox', { name: 'Four-eyes review' }).check()
  await page.getByLabel('Language').fill('de')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  expect((await ask('GET', '/report-settings')).data).toMatchObject({ fourEyes: true, language: 'de' })
  await page.goto(`${path}/findings/${finding.id}`)
  await page.getByRole('button', { name: 'Send to review' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'wrote' })).toBeVisible()
})
