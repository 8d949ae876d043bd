import { nightly } from '../support/server/nightly.ts'
import { expect, test } from '../support/server/sortie.ts'

test('Back after creating an engagement leads to the list, and opens no empty dialog', async ({ page, sortie }) => {
  const { people } = sortie
  const organization = await people.organization()
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  await page.getByRole('button', { name: 'New engagement' }).first().click()
  await page.getByLabel('Name').fill('Just created')
  await page.getByRole('button', { name: 'Create engagement' }).click()
  await expect(page.getByRole('heading', { name: 'Just created' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('link', { name: 'Just created' })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/o/${organization.slug}/engagements$`))
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

for (const [name, path, command] of [
  ['New engagement', 'engagements', 'create an engagement'],
  ['Invite people', 'settings/members', 'invite people'],
  ['Claim a domain', 'settings/domains', undefined],
  ['Create API key', 'settings/api-keys', 'create an api key'],
] as const) {
  nightly(
    `the dialog "${name}" is not a step in the history: Back after it leads to the page before`,
    async ({ page, sortie }) => {
      const { people } = sortie
      const organization = await people.organization()
      await people.signIn(page, organization.owner, `/o/${organization.slug}/settings/general`)
      await expect(page.getByRole('heading', { name: 'General', exact: true })).toBeVisible()
      await page.goto(`/o/${organization.slug}/${path}`)
      const dialog = page.getByRole('dialog', { name })
      await page.getByRole('button', { name }).first().click()
      await expect(dialog).toBeVisible()
      await expect(page).toHaveURL(/=true/)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(page).not.toHaveURL(/=true/)
      if (command) {
        await page.keyboard.press('Control+k')
        await page.keyboard.type(command)
        await page.keyboard.press('Enter')
        await expect(dialog).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(dialog).toBeHidden()
      }
      await page.goBack()
      await expect(page.getByRole('heading', { name: 'General', exact: true })).toBeVisible()
      await expect(dialog).toHaveCount(0)
    },
  )
}
