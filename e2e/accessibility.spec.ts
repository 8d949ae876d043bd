import type { Page } from '@playwright/test'
import { accessibilityFindings } from './support/accessible.ts'
import { everyPage } from './support/every-page.ts'
import { expect, test } from './support/sortie.ts'

const PARTS = 2

for (let index = 0; index < PARTS; index++) {
  test(`no page has a serious accessibility finding, part ${index + 1} of ${PARTS}`, async ({ page, sortie }) => {
    test.setTimeout(400_000)
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    for await (const name of everyPage(page, sortie.people, { index, of: PARTS })) {
      const light = await accessibilityFindings(page)
      await setScheme(page, 'dark')
      const dark = await accessibilityFindings(page)
      await setScheme(page, 'light')
      expect.soft({ light, dark }, name).toEqual({ light: [], dark: [] })
    }
  })
}

const setScheme = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`)).toHaveCount(1)
  await page.evaluate(endOfTransitions)
}

/** A colour on its way to another is neither of the two. */
const endOfTransitions = async (): Promise<void> => {
  await new Promise(requestAnimationFrame)
  await Promise.allSettled(
    document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
      .map(({ finished }) => finished),
  )
}
