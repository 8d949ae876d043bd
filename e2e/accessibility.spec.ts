import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { everyPage } from './support/every-page.ts'
import { expect, test } from './support/sortie.ts'

const PARTS = 2

for (let index = 0; index < PARTS; index++) {
  test(`no page has a serious accessibility finding, part ${index + 1} of ${PARTS}`, async ({ page, sortie }) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    for await (const name of everyPage(page, sortie.people, { index, of: PARTS })) {
      const light = await seriousFindings(new AxeBuilder({ page }))
      await setScheme(page, 'dark')
      // Colours are all that the themes differ in.
      const dark = await seriousFindings(new AxeBuilder({ page }).withRules('color-contrast'))
      await setScheme(page, 'light')
      expect.soft({ light, dark }, name).toEqual({ light: [], dark: [] })
    }
  })
}

const setScheme = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`)).toHaveCount(1)
}

const seriousFindings = async (axe: AxeBuilder): Promise<string[]> => {
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary?.slice(0, 240)}`).join(' | ')}`)
}
