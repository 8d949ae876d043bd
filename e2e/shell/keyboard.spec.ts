import { pressSequence } from '../support/pages/keys.ts'
import { tabTo } from '../support/scans.ts'
import { nightly } from '../support/server/nightly.ts'
import { expect } from '../support/server/sortie.ts'

nightly(
  'without a pointer: a scope is pasted, tested, changed and deleted; targets are pasted, corrected, filtered, changed together and copied',
  async ({ page, sortie }) => {
    const { people } = sortie
    const organization = await people.organization()
    const { id } = (
      await people.call(organization.owner, 'POST', '/api/web/engagements', { name: 'Contoso' }, organization.id)
    ).body.data
    const { keyboard } = page
    const dialog = page.getByRole('dialog')
    const peek = page.getByRole('complementary', { name: 'Preview' })
    const press = async (name: string, within: typeof peek | typeof page = page) => {
      await tabTo(page, within.getByRole('button', { name, exact: true }))
      await keyboard.press('Enter')
    }
    await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements/${id}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Contoso' })).toBeVisible()
    await pressSequence(page, ['g', 's'])
    await expect(page.getByRole('heading', { name: 'No scope yet' })).toBeVisible()
    await keyboard.press('p')
    await expect(dialog.getByLabel('List or letter')).toBeFocused()
    await keyboard.insertText('10.0.0.0/24\n*.contoso.example')
    await keyboard.press('Control+Enter')
    await expect(dialog.getByRole('status')).toHaveText('2 lines left to choose.')
    await press('In scope', dialog)
    await expect(dialog.getByRole('status')).toHaveText('2 in scope.')
    await press('Add 2 rules', dialog)
    await expect(dialog).toBeHidden()
    await tabTo(page, page.getByLabel('Is this in scope?'))
    await keyboard.type('10.0.0.7')
    await expect(page.getByRole('status', { name: 'Answer' })).toContainText('Allowed by 10.0.0.0/24')
    await press('Show the rule')
    await tabTo(page, peek.getByLabel('Effect'))
    await keyboard.press('ArrowDown')
    await tabTo(page, peek.getByLabel('Note'))
    await keyboard.type('By phone.')
    await keyboard.press('Control+Enter')
    await expect(page.getByText('Saved. Targets re-evaluated.')).toBeVisible()
    await press('Delete', peek)
    await press('Delete rule', dialog)
    await expect(page.getByText('1 rule', { exact: true })).toBeVisible()

    await pressSequence(page, ['g', 't'])
    await expect(page.getByRole('heading', { name: 'No targets yet' })).toBeVisible()
    await keyboard.press('p')
    await expect(dialog.getByLabel('Targets, one per line')).toBeFocused()
    await keyboard.insertText('a.contoso.example\nb.contoso.example\n127.1')
    await expect(dialog.getByRole('region', { name: 'Preview of each line' })).toContainText('In scope')
    await keyboard.press('Control+Enter')
    await expect(dialog.getByRole('status')).toHaveText('2 targets added, 0 already known, 1 rejected.')
    await press('Correct what was rejected', dialog)
    await expect(dialog.getByLabel('Targets, one per line')).toHaveValue('127.1')
    await tabTo(page, dialog.getByLabel('Targets, one per line'))
    await keyboard.press('Control+a')
    await keyboard.insertText('127.0.0.1')
    await keyboard.press('Control+Enter')
    await expect(dialog.getByRole('status')).toHaveText('1 target added, 0 already known, 0 rejected.')
    await press('Done', dialog)
    await expect(page.getByText('3 targets', { exact: true })).toBeVisible()
    await keyboard.press('/')
    await keyboard.type('verdict:in')
    await keyboard.press('Enter')
    await expect(page.getByText('2 targets', { exact: true })).toBeVisible()
    await keyboard.press('Escape')
    await keyboard.press('j')
    await keyboard.press('x')
    await keyboard.press('j')
    await keyboard.press('x')
    await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('2 selected')
    await press('Delete', page)
    await expect(dialog).toContainText('2 targets')
    await keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await press('Export')
    await keyboard.press('ArrowDown')
    for (
      const copy = page.getByRole('menuitem', { name: 'Copy as scanner input' });
      !(await copy.evaluate((item) => item === document.activeElement));
    )
      await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await expect(page.getByText('Copied, one target per line.')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('a.contoso.example\nb.contoso.example\n')
  },
)
