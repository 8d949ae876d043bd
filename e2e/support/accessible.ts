import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Serious findings of the accessibility checker on the page as it is, one line each. */
export const accessibilityFindings = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary?.slice(0, 240)}`).join(' | ')}`)
}

export const expectAccessible = async (page: Page): Promise<void> => {
  expect(await accessibilityFindings(page)).toEqual([])
}
