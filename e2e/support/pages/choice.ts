import { expect, type Locator } from '@playwright/test'

/** Chooses from the list of a field, by the value of an option or its label. */
export const chooseFrom = async (field: Locator, option: string): Promise<void> => {
  await field.first().click()
  await chooseOpen(field.first(), option)
}

/** Chooses from a list that is open already, such as that of a cell. */
export const chooseOpen = async (field: Locator, option: string): Promise<void> => {
  await expect(field).toHaveAttribute('aria-expanded', 'true')
  const page = field.page()
  await page
    .getByRole('option')
    .and(page.locator(`[value=${JSON.stringify(option)}]`))
    .or(page.getByRole('option', { name: option, exact: true }))
    .first()
    .click()
}
