import { engagementWithFindings } from '../../support/findings.ts'
import { expectAccessible } from '../../support/pages/accessible.ts'
import { expect, test } from '../../support/server/sortie.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

test('evidence of a finding has captions that are edited in place, and an order that the mouse and the keyboard change', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, add, ask } = await engagementWithFindings(people, organization)
  const finding = await add({ title: 'Orders leak' })
  await people.signIn(page, organization.owner, `${path}/findings/${finding.id}`)
  const evidence = page.getByRole('region', { name: 'Evidence' })
  for (const name of ['first.png', 'second.png']) {
    await evidence.locator('input[type="file"]').setInputFiles({ name, mimeType: 'image/png', buffer: PNG })
    await expect(evidence.getByRole('button', { name: `Open ${name}` })).toBeVisible()
  }
  await evidence
    .locator('input[type="file"]')
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') })
  const links = evidence.getByRole('list').last().getByRole('link')
  await expect(links).toHaveText(['first.png', 'second.png', 'notes.txt'])

  const caption = evidence.getByLabel('Caption of second.png')
  await caption.fill('Order 17 belongs to another customer.')
  await caption.press('Enter')
  const stored = async () =>
    (await ask('GET', `/findings/${finding.id}/files`)).data as {
      fileName: string
      caption: string
      position: number | null
    }[]
  await expect
    .poll(async () => (await stored()).find(({ fileName }) => fileName === 'second.png')?.caption)
    .toBe('Order 17 belongs to another customer.')
  await evidence.getByRole('button', { name: 'Open second.png' }).click()
  await expect(page.getByRole('dialog', { name: 'second.png' })).toContainText('Order 17 belongs to another customer.')
  await expect(page.getByRole('img', { name: 'Order 17 belongs to another customer.' })).toBeVisible()
  await page.keyboard.press('Escape')

  const handle = evidence.getByRole('button', { name: 'Move second.png' })
  await handle.focus()
  await page.keyboard.press('ArrowUp')
  await expect(links).toHaveText(['second.png', 'first.png', 'notes.txt'])
  await expect(handle).toBeFocused()
  await expect(evidence.getByRole('status').filter({ hasText: 'second.png is now 1 of 3.' })).toBeAttached()
  await evidence
    .getByRole('button', { name: 'Move notes.txt', exact: true })
    .dragTo(evidence.getByRole('button', { name: 'Open second.png' }), { targetPosition: { x: 20, y: 3 } })
  await expect(links).toHaveText(['notes.txt', 'second.png', 'first.png'])
  await expectAccessible(page)
  await expect
    .poll(async () =>
      (await stored()).toSorted((a, b) => Number(a.position) - Number(b.position)).map(({ fileName }) => fileName),
    )
    .toEqual(['notes.txt', 'second.png', 'first.png'])
  await page.reload()
  await expect(links).toHaveText(['notes.txt', 'second.png', 'first.png'])
  await expect(evidence.getByLabel('Caption of second.png')).toHaveValue('Order 17 belongs to another customer.')
})
