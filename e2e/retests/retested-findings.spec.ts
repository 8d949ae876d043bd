import { engagementWithFindings } from '../support/findings.ts'
import { test } from '../support/retests.ts'
import { expect } from '../support/server/sortie.ts'

test('a finding links the earlier one that it retests, chosen by its title, and embeds a request without its credentials', async ({
  page,
  sortie,
  shop,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const { path, id, add, ask, read } = await engagementWithFindings(people, organization)
  const { id: lastYear } = (await ask('POST', '/engagements', { name: 'Contoso 2025' })).data
  await ask('POST', '/findings', { engagementId: lastYear, title: 'Users are listed without sign-in' })
  const headers = [{ name: 'Authorization', value: 'Bearer typed-by-hand-22', enabled: true }]
  const run = (
    await ask('POST', '/api-requests/send', { engagementId: id, request: { url: `${shop.origin}/api/users`, headers } })
  ).data
  const found = await add({ title: 'Users are still listed', reproduction: `![[${run.id}]]` })

  await people.signIn(page, organization.owner, `${path}/findings/${found.id}`)
  const embed = page.getByRole('figure', { name: /^Request GET / })
  await expect(embed).toContainText('Bearer ••••')
  await expect(embed).toContainText('"role": "admin"')
  await expect(embed).not.toContainText('typed-by-hand')

  await page.getByRole('combobox', { name: 'Retest of' }).fill('Users are listed')
  await page.getByRole('option', { name: 'Users are listed without sign-in' }).click()
  await page.getByRole('link', { name: '1 Users are listed without sign-in' }).click()
  await expect(page.getByRole('heading', { name: '1 Users are listed without sign-in' })).toBeVisible()
  expect(page.url()).toContain(lastYear)
  expect(await read(found.id)).toMatchObject({ retestOf: expect.stringMatching(/^fnd_/) })
})
