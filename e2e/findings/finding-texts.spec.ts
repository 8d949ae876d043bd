import { engagementWithFindings } from '../support/findings.ts'
import { giveFile, PNG } from '../support/give-file.ts'
import { expectAccessible } from '../support/pages/accessible.ts'
import { test } from '../support/retests.ts'
import { expect } from '../support/server/sortie.ts'

test('pasted and dropped pictures become evidence and figures with captions; texts link findings and show chosen lines of a request', async ({
  page,
  sortie,
  shop,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, id, add, ask, read } = await engagementWithFindings(people, organization)
  const other = await add({ title: 'Weak password policy' })
  const { id: runId } = (await ask('POST', '/api-requests/send', {
    engagementId: id,
    request: { url: `${shop.origin}/api/users` },
  }).then(({ data }) => data)) as { id: string }
  const finding = await add({
    title: 'Orders leak',
    description: `See [[${other.id}]] first.`,
    impact: `![[${runId}|lines=1-1]]`,
  })
  await people.signIn(page, organization.owner, `${path}/findings/${finding.id}?view=edit`)
  const section = (name: string) => page.getByRole('textbox', { name })
  await section('Summary').click()
  await giveFile(section('Summary'), 'paste', { name: 'list.png', type: 'image/png', base64: PNG })
  await expect(section('Summary')).toContainText('![list.png](fil_')
  await section('Reproduction').click()
  await giveFile(section('Reproduction'), 'drop', { name: 'order.png', type: 'image/png', base64: PNG })
  await expect(section('Reproduction')).toContainText('![order.png](fil_')
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible()
  await page.getByRole('link', { name: 'Done' }).click()

  const figures = page.locator('.figures').getByRole('figure')
  for (const name of ['list.png', 'order.png']) await expect(figures.and(page.getByLabel(name))).toBeVisible()
  const numbers = await page
    .locator('.figures')
    .getByRole('figure', { name: /\.png$/ })
    .evaluateAll((all) => all.map((figure) => getComputedStyle(figure.lastElementChild as Element, '::before').content))
  expect(numbers).toEqual(Array.from({ length: 2 }, () => '"Figure " counter(figure) ": "'))
  await page.getByRole('link', { name: `${other.number} Weak password policy` }).click()
  await expect(page.getByRole('heading', { name: `${other.number} Weak password policy` })).toBeVisible()
  await page.goBack()
  const embed = page.getByRole('figure', { name: /^Request GET / })
  await expect(embed).toHaveText(`GET ${shop.origin}/api/users`)
  const evidence = page.getByRole('region', { name: 'Evidence' })
  await expect(evidence.getByRole('link', { name: 'list.png' })).toBeVisible()
  await expect(evidence.getByRole('link', { name: 'order.png' })).toBeVisible()
  await expectAccessible(page)
  expect((await read(finding.id)).summary).toMatch(/^!\[list\.png\]\(fil_\w+\)/)
})
