import { expectAccessible } from '../support/pages/accessible.ts'
import { chooseFrom } from '../support/pages/choice.ts'
import { pressSequence } from '../support/pages/keys.ts'
import { visit } from '../support/pages/visit.ts'
import type { TestOrganization } from '../support/server/people.ts'
import { expect, type Sortie, test } from '../support/server/sortie.ts'

/** An engagement with two vulnerabilities, and calls in it. */
const withFindings = async ({ people }: Sortie) => {
  const organization: TestOrganization = await people.organization()
  const call = await people.session(organization.owner, organization.id)
  const { id: engagementId } = (await call('POST', '/api/web/engagements', { name: 'Contoso' })).data
  const write = async (title: string, data: object = {}) =>
    (
      await call('POST', '/api/web/results', {
        engagementId,
        title,
        asset: 'portal.contoso.example',
        severity: 'high',
        data,
      })
    ).data.id as string
  const ids = [await write('Injection in the search'), await write('Weak cipher')]
  return { organization, engagementId, call, write, ids, path: `/o/${organization.slug}/engagements/${engagementId}` }
}

test('D8: S and a letter set the status of the active row, and a second key without a meaning does nothing', async ({
  page,
  sortie,
}) => {
  const { organization, call, ids, path } = await withFindings(sortie)
  await sortie.people.signIn(page, organization.owner, `${path}/results`)
  const grid = page.getByRole('grid', { name: 'Results' })
  const dialog = page.getByRole('dialog')
  await expect(grid.getByRole('row')).toHaveCount(3)

  await pressSequence(page, ['s', 'c'])
  await expect(page.getByRole('alert')).toContainText('No result is selected.')
  await expect(dialog).toBeHidden()

  await page.keyboard.press('j')
  await pressSequence(page, ['s', 'c'])
  await expect(grid.getByRole('row').nth(1)).toContainText('Confirmed')
  await page.keyboard.press('v')
  await expect(page.getByRole('menuitem', { name: 'Critical' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('5')
  await expect(grid.getByRole('row').nth(1)).toContainText('Critical')
  await expect(page.getByRole('complementary', { name: 'Preview' })).toBeHidden()
  const statuses = await Promise.all(
    ids.map(async (id) => (await call('GET', `/api/web/results/${id}`)).data.status as string),
  )
  expect(statuses.toSorted()).toEqual(['confirmed', 'open'])

  for (const keys of [
    ['g', 'x'],
    ['g', 'z'],
  ] as const)
    await pressSequence(page, keys)
  // The menu takes every key until it is closed.
  for (const keys of ['sx', 'sj']) {
    for (const key of keys) await page.keyboard.press(key)
    await expect(page.getByRole('menuitem', { name: 'Confirmed' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
  }
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toBeHidden()
  await expect(grid).toHaveAttribute('aria-activedescendant', /-0$/)
  // A key by itself means what it meant before.
  await page.keyboard.press('c')
  await expect(dialog.getByLabel('Title')).toBeFocused()
})

test('D11: no key of the sheet has two meanings', async ({ page, sortie }) => {
  const { organization, path } = await withFindings(sortie)
  await sortie.people.signIn(page, organization.owner, `${path}/results`)
  await expect(page.getByRole('grid', { name: 'Results' })).toBeVisible()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet).toBeVisible()
  const keys = await sheet.locator('dd').allTextContents()
  expect(keys).toContain('GF')
  expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted())
})

test('D7: a typing error in a filter is reported under the field, and corrected there', async ({ page, sortie }) => {
  const { organization, path } = await withFindings(sortie)
  await sortie.people.signIn(page, organization.owner, `${path}/results`)
  const filter = page.getByLabel('Filter', { exact: true })
  const grid = page.getByRole('grid', { name: 'Results' })
  await expect(grid.getByRole('row')).toHaveCount(3)
  await page.keyboard.press('/')
  await page.keyboard.type('severity:hgih')
  await page.keyboard.press('Enter')
  await expect(filter).toHaveAttribute('aria-invalid', 'true')
  await expect(filter).toHaveAccessibleDescription(/severity/i)
  await expect(filter).toHaveValue('severity:hgih')
  await expect(page.getByText('This could not be loaded')).toBeHidden()
  await expect(grid).toBeVisible()
  await expectAccessible(page)
  await filter.fill('severity:high')
  await page.keyboard.press('Enter')
  await expect(grid.getByRole('row')).toHaveCount(3)
  await expect(filter).not.toHaveAttribute('aria-invalid', 'true')

  // The same by an address that someone sent.
  await page.goto(`${path}/results?severity=hgih`)
  await expect(filter).toHaveAccessibleDescription(/severity/i)
  await page.getByRole('button', { name: 'Remove the filter Severity' }).click()
  await expect(grid.getByRole('row')).toHaveCount(3)
})

test('D7: a typing error that is entered before the completion is loaded stays in the field with its reason', async ({
  page,
  sortie,
}) => {
  const { organization, path } = await withFindings(sortie)
  // Types and submits in one task, so nothing is loaded in between.
  await page.addInitScript(() => {
    const enter = () => {
      const field = document.querySelector<HTMLInputElement>('[role=search] input:not([role])')
      if (!field) return requestAnimationFrame(enter)
      field.focus()
      document.execCommand('insertText', false, 'severity:hgih')
      return field.form?.requestSubmit()
    }
    enter()
  })
  await sortie.people.signIn(page, organization.owner, `${path}/results`)
  const filter = page.getByLabel('Filter', { exact: true })
  await expect(filter).toHaveRole('combobox')
  await expect(filter).toHaveAccessibleDescription(/severity has no value/)
  await expect(filter).toHaveValue('severity:hgih')
  await expect(filter).toBeFocused()
  await expect(page).not.toHaveURL(/severity/)
  await expect(page.getByRole('grid', { name: 'Results' }).getByRole('row')).toHaveCount(3)
})

test('the filter field completes names and values, and what is applied is a chip only', async ({ page, sortie }) => {
  const { organization, path } = await withFindings(sortie)
  await sortie.people.signIn(page, organization.owner, `${path}/results`)
  const filter = page.getByLabel('Filter', { exact: true })
  const grid = page.getByRole('grid', { name: 'Results' })
  await expect(grid.getByRole('row')).toHaveCount(3)
  await page.keyboard.press('f')
  await expect(filter).toBeFocused()
  await expect(page.getByRole('option', { name: /^Severity/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.type('sev')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(filter).toHaveValue('severity:')
  await page.keyboard.type('cr')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(filter).toHaveValue('')
  await expect(page).toHaveURL(/severity=critical/)
  const chip = page.getByRole('button', { name: 'Severity: Critical' })
  await expect(chip).toBeVisible()
  await expect(filter).toBeFocused()
  await page.keyboard.press('Backspace')
  await expect(chip).toBeHidden()
  await expect(grid.getByRole('row')).toHaveCount(3)
})

test('D9: what opens by a link or a button has the focus in its first field', async ({ page, sortie }) => {
  const { organization, engagementId, call, path } = await withFindings(sortie)
  const target = (await call('POST', '/api/web/targets', { engagementId, value: 'shop.contoso.example' })).data
  const items = [{ key: 'LOGIN-1', title: 'Try default passwords', appliesTo: ['domain'] }]
  const methodology = (await call('POST', '/api/web/methodologies', { name: 'Own checks', items })).data
  await call('POST', `/api/web/methodologies/${methodology.id}/expand`, { engagementId, targets: { ids: [target.id] } })
  const [task] = (await call('GET', `/api/web/tasks?engagementId=${engagementId}`)).data as { id: string }[]
  await call('PATCH', `/api/web/tasks/${task?.id}`, { outcome: 'fail' })
  // The fields come long after the dialog.
  const held = Promise.withResolvers<void>()
  await sortie.people.signIn(page, organization.owner, `/o/${organization.slug}/tasks/${task?.id}`)
  await page.route('**/api/web/targets/tgt_*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByRole('link', { name: 'Add vulnerability' }).click()
  await expect(page.getByRole('dialog', { name: 'New vulnerability' })).toBeVisible()
  held.resolve()
  await expect(page.getByLabel('Title')).toBeFocused()
  await chooseFrom(page.getByLabel('Severity'), 'high')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/^Added /).first()).toBeVisible()

  const environment = (await call('POST', '/api/web/environments', { engagementId, name: 'Staging' })).data
  await visit(page, `${path}/requests/${environment.id}`)
  for (const number of [1, 2]) {
    await page.getByRole('button', { name: 'Add a variable' }).click()
    await expect(page.getByLabel(`Name of variable ${number}`)).toBeFocused()
  }
})

test('D5: description and solution that a person wrote are laid out as Markdown, without a scroller of their own', async ({
  page,
  sortie,
}) => {
  const { organization, path, write } = await withFindings(sortie)
  const long = Array.from({ length: 60 }, (_, line) => `Paragraph ${line}.`).join('\n\n')
  const description = `A comment **runs** as \`script\`.\n\n- first\n- second\n\n<img src=x onerror=alert(1)>\n\n${long}`
  const id = await write('Stored XSS', {
    description,
    solution: 'Encode *every* output.',
    request: 'GET /**not bold** HTTP/1.1\nHost: a',
  })
  await sortie.people.signIn(page, organization.owner, `${path}/results?peek=${id}`)
  const shown = page.getByRole('complementary', { name: 'Preview' })
  const text = shown.getByRole('region', { name: 'Description' })
  await expect(text.locator('strong')).toHaveText('runs')
  await expect(text.getByRole('listitem')).toHaveText(['first', 'second'])
  await expect(text).toContainText('<img src=x onerror=alert(1)>')
  await expect(text.locator('img, pre')).toHaveCount(0)
  await expect(shown.getByRole('region', { name: 'Solution' }).locator('em')).toHaveText('every')
  await expect(shown.getByRole('region', { name: 'Request' }).locator('pre')).toContainText(
    'GET /**not bold** HTTP/1.1',
  )
  await expect(text).toContainText('Paragraph 59.')
  const scrollers = await text.evaluate(
    (section) =>
      [section, ...section.querySelectorAll('*')].filter(
        (element) =>
          element.scrollHeight > element.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(element).overflowY),
      ).length,
  )
  expect(scrollers).toBe(0)
  await expectAccessible(page)
})

test('D5: a line that a person wrote is laid out, too', async ({ page, sortie }) => {
  const { organization, path, write } = await withFindings(sortie)
  const id = await write('Open redirect', { description: 'Leads **elsewhere**.' })
  await sortie.people.signIn(page, organization.owner, `${path}/results?peek=${id}`)
  await expect(page.getByRole('region', { name: 'Description' }).locator('strong')).toHaveText('elsewhere')
})
