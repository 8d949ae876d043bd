import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/pages/accessible.ts'
import { expect, test } from '../support/server/sortie.ts'

/** Shows the column of a field, and filters by one of its options. */
const useField = async (page: Page, list: string, label: string, option: string) => {
  const grid = page.getByRole('grid', { name: list })
  await expect(grid.getByRole('columnheader', { name: label })).toHaveCount(0)
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('menuitem', { name: label }).click()
  await page.keyboard.press('Escape')
  await expect(grid.getByRole('columnheader', { name: label })).toBeVisible()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: label }).click()
  await page.getByRole('checkbox', { name: option }).check()
  return grid
}

test('custom fields of engagements and library entries are columns and filters of their lists', async ({
  page,
  sortie,
}) => {
  const { people } = sortie
  const organization = await people.organization()
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await people.call(organization.owner, method, `/api/web${path}`, body, organization.id)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
  for (const objectType of ['engagement', 'library_entry'])
    await ask('POST', '/field-definitions', {
      objectType,
      key: 'practice',
      type: 'choice',
      label: 'Practice',
      options: ['Network', 'Web'],
    })
  for (const practice of ['Network', 'Web']) {
    await ask('POST', '/engagements', { name: `Engagement of ${practice}`, details: { fields: { practice } } })
    await ask('POST', '/library-entries', {
      key: practice.toLowerCase(),
      mainLanguage: 'en',
      texts: { en: { title: `Entry of ${practice}` } },
      fields: { practice },
    })
  }
  await people.signIn(page, organization.owner, `/o/${organization.slug}/engagements`)
  const engagements = await useField(page, 'Engagements', 'Practice', 'Web')
  await expect(engagements.getByRole('link')).toHaveText(['Engagement of Web'])
  await expect(page).toHaveURL(/field\.practice=Web/)
  await expectAccessible(page)

  await page.goto(`/o/${organization.slug}/library`)
  const entries = await useField(page, 'Library entries', 'Practice', 'Network')
  await expect(entries.getByRole('link')).toHaveText(['Entry of Network'])
  await expectAccessible(page)
})
