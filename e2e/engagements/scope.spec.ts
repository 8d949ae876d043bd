import { chooseFrom } from '../support/pages/choice.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test('the list of a client becomes rules, the tester shows the reason, and a change evaluates every target again', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const as = (path: string, body: unknown) =>
    people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)
  const { id } = (await as('/engagements', { name: 'Contoso' })).body.data
  await as('/targets/bulk', { engagementId: id, text: '10.0.0.7\n10.0.9.9' })
  const path = `/o/${organization.slug}/engagements/${id}`
  await people.signIn(page, organization.owner, `${path}/targets`)
  await expect(page.getByText('This engagement has no scope yet')).toBeVisible()
  await page.getByRole('link', { name: 'Set the scope' }).click()
  await expect(page.getByRole('heading', { name: 'No scope yet' })).toBeVisible()
  await page.keyboard.press('p')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('List or letter').fill('*.contoso.example\n10.0.0.0/24 # annex A\n10.0.0.300')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('status')).toHaveText('2 lines left to choose.')
  await dialog.getByRole('group', { name: 'Undecided' }).getByRole('button', { name: 'In scope' }).click()
  await expect(dialog.getByRole('status')).toHaveText('2 in scope.')
  await dialog.getByRole('button', { name: 'Add 2 rules' }).click()
  await expect(page.getByText('2 rules added')).toBeVisible()
  await expect(
    page.getByRole('grid', { name: 'Scope rules' }).getByRole('row', { name: /10\.0\.0\.0\/24/ }),
  ).toContainText('annex A')

  const answer = page.getByRole('status', { name: 'Answer' })
  await page.getByLabel('Is this in scope?').fill('10.0.0.7')
  await expect(answer).toContainText('In scope')
  await expect(answer).toContainText('Allowed by 10.0.0.0/24')
  await answer.getByRole('button', { name: 'Show the rule' }).click()
  const peek = page.getByRole('complementary', { name: 'Preview' })
  await expect(peek.getByRole('heading', { name: '10.0.0.0/24' })).toBeVisible()
  await chooseFrom(peek.getByLabel('Effect'), 'deny')
  await peek.getByLabel('Note').fill('Withdrawn by phone.')
  await peek.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved. Targets re-evaluated.')).toBeVisible()
  await expect(answer).toContainText('Denied by 10.0.0.0/24')
  await page.getByLabel('Is this in scope?').fill('127.1')
  await expect(answer).toContainText('Not recognized')
  await page.getByRole('complementary', { name: 'Navigation' }).getByRole('link', { name: 'Targets' }).click()
  const targets = page.getByRole('grid', { name: 'Targets' })
  await page.getByRole('button', { name: 'Show them' }).last().click()
  await expect(targets.getByRole('row', { name: /10\.0\.0\.7/ })).toContainText('Out of scope')
  await targets.getByText('10.0.0.7').click()
  await peek.getByRole('link', { name: 'Denied by 10.0.0.0/24' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Scope' })).toBeVisible()
  await peek.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete rule' }).click()
  await expect(page.getByText('1 rule')).toBeVisible()
  await page.keyboard.press('c')
  await dialog.getByLabel('Pattern').fill('10.0.9.0/24')
  await chooseFrom(dialog.getByLabel('Effect'), 'caution')
  await page.keyboard.press('Control+Enter')
  await expect(
    page.getByRole('grid', { name: 'Scope rules' }).getByRole('row', { name: /10\.0\.9\.0\/24/ }),
  ).toContainText('Caution')
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(page.getByRole('main').getByRole('link', { name: '1 caution' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: '1 out of scope' }).click()
  await expect(page.getByText('1 target')).toBeVisible()
})

nightly(
  'a member who is not on the team tests the scope, and sees why there is nothing to change; the lead changes it',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const member = await people.member(organization, 'member')
    const as = (method: string, path: string, body: unknown) =>
      people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
    const { id } = (await as('POST', '/engagements', { name: 'Contoso' })).body.data
    await as('POST', '/scope-rules', {
      engagementId: id,
      effect: 'allow',
      pattern: '10.0.0.0/24',
      note: 'Annex **A**.',
    })
    const path = `/o/${organization.slug}/engagements/${id}/scope`
    await people.signIn(page, member, path)
    await expect(page.getByText('Only the lead, the team, the owner and admins may change the scope.')).toBeVisible()
    await page.getByRole('grid', { name: 'Scope rules' }).getByText('10.0.0.0/24').click()
    const peek = page.getByRole('complementary', { name: 'Preview' })
    await expect(peek.locator('strong')).toHaveText('A')
    await expect(page.getByRole('button', { name: /Add a rule|Paste a list|Save|Delete/ })).toHaveCount(0)
    await page.getByLabel('Is this in scope?').fill('10.0.0.7')
    await expect(page.getByRole('status', { name: 'Answer' })).toContainText(/allowed by/i)
    const account = (await people.call(member, 'GET', '/api/web/account')).body.data
    await as('PATCH', `/engagements/${id}/details`, { lead: account.id })
    await page.goto(path)
    await expect(page.getByRole('button', { name: 'Add a rule' })).toBeVisible()
  },
)

const LETTER = `Dear testers,

In scope:
- www.corp.example
- *.corp.example and 203.0.113.0/28
# DMZ Frankfurt
198.51.100.0/24 # firewall
shop.corp.example (only at night)

Out of scope:
- 203.0.113.5
- https://www.corp.example/admin/billing
- vpn.corp.example
- payroll.corp.example (hosted by third party)
- the payroll system

Handle with care:
db.corp.example`

test('D1: a pasted letter is checked rule by rule, excluded lines never become in scope, and saved rules are undone', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const as = (path: string, body: unknown) =>
    people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)
  const { id } = (await as('/engagements', { name: 'Contoso' })).body.data
  await as('/scope-rules', { engagementId: id, effect: 'allow', pattern: 'vpn.corp.example', note: '' })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${id}/scope?add=many`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('List or letter').fill(LETTER)
  await page.keyboard.press('Control+Enter')
  const save = dialog.getByRole('button', { name: /^Add / })
  await expect(dialog.getByRole('status')).toHaveText('3 lines left to choose.')
  await expect(save).toBeDisabled()
  await expect(dialog.getByLabel('Effect of payroll.corp.example (line 14)')).toHaveValue('Out of scope')
  await expect(dialog.getByLabel('Effect of 203.0.113.5 (line 11)')).toHaveValue('Out of scope')
  await expect(dialog.getByText('Existing rule: “In scope”. The letter: “Out of scope”.')).toBeVisible()
  await expect(dialog.getByRole('group', { name: 'Undecided' }).getByRole('button', { name: 'In scope' })).toHaveCount(
    0,
  )
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(dialog.getByLabel('Effect of shop.corp.example (line 8)')).toBeFocused()
  await chooseFrom(dialog.getByLabel('Effect of shop.corp.example (line 8)'), 'caution')
  await chooseFrom(dialog.getByLabel('Effect of vpn.corp.example (line 13)'), 'deny')
  await chooseFrom(dialog.getByLabel('Line 15'), 'skip')
  await expect(dialog.getByRole('status')).toHaveText('4 in scope, 2 caution, 4 out of scope.')
  await save.click()
  const grid = page.getByRole('grid', { name: 'Scope rules' })
  await expect(grid.getByRole('row', { name: /payroll/ })).toContainText('Out of scope')
  await expect(grid.getByRole('row', { name: /payroll/ })).toContainText('hosted by third party')
  await expect(grid.getByRole('row', { name: /vpn/ })).toContainText('Out of scope')
  await expect(grid.getByRole('row', { name: /198\.51/ })).toContainText('DMZ Frankfurt · firewall')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Scope restored.')).toBeVisible()
  await expect(grid.getByRole('row', { name: /vpn/ })).toContainText('In scope')
  await expect(grid.getByRole('row', { name: /payroll/ })).toHaveCount(0)
})

test('selected scope rules change their effect together, are deleted together, and are restored', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const as = (path: string, body: unknown) =>
    people.call(organization.owner, 'POST', `/api/web${path}`, body, organization.id)
  const { id } = (await as('/engagements', { name: 'Contoso' })).body.data
  await as('/scope-rules/bulk', { engagementId: id, effect: 'allow', text: 'a.example\nb.example' })
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${id}/scope`)
  const grid = page.getByRole('grid', { name: 'Scope rules' })
  await grid.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Change effect' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Change effect' }).click()
  await expect(grid.getByRole('row', { name: /a\.example/ })).toContainText('Out of scope')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(grid.getByRole('row', { name: /a\.example/ })).toContainText('In scope')
  await grid.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete rules' }).click()
  await expect(page.getByText('2 rules deleted.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(grid.getByRole('row', { name: /a\.example/ })).toBeVisible()
})
