import type { Locator, Page } from '@playwright/test'

/** The button of a property that is chosen from a menu; its name is the label and the value. */
export const menuField = (page: Page, label: string): Locator =>
  page.getByRole('button', { name: new RegExp(`^${label} `) })

export const choose = async (page: Page, label: string, option: string): Promise<void> => {
  await menuField(page, label).click()
  await page.getByRole('menuitem', { name: option }).first().click()
}
