import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Pages have no frames of others, so that one run within the page does: otherwise each opens a blank page to sum up. */
const checkerOf = (page: Page) => new AxeBuilder({ page }).setLegacyMode()

/** Serious findings of the accessibility checker on the page as it is, one line each. */
const accessibilityFindings = async (page: Page, checker = checkerOf(page)): Promise<string[]> => {
  const { violations } = await checker.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary?.slice(0, 240)}`).join(' | ')}`)
}

export const expectAccessible = async (page: Page): Promise<void> => {
  expect(await accessibilityFindings(page)).toEqual([])
}

/**
 * The findings on the page as it is, in the light theme and in the dark one: there colours alone differ. The page is left
 * in the light one.
 */
export const findingsInBothThemes = async (page: Page): Promise<{ light: string[]; dark: string[] }> => {
  const light = await accessibilityFindings(page)
  await setScheme(page, 'dark')
  const dark = await accessibilityFindings(page, checkerOf(page).withRules(['color-contrast', 'link-in-text-block']))
  await setScheme(page, 'light')
  return { light, dark }
}

const setScheme = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`)).toHaveCount(1)
  await page.evaluate(endOfTransitions)
}

/** A colour on its way to another is neither of the two; one that inherits it may begin a frame later. */
const endOfTransitions = async (): Promise<void> => {
  const running = () => document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
  for (let quietFrames = 0; quietFrames < 3; ) {
    await new Promise(requestAnimationFrame)
    const animations = running()
    await Promise.allSettled(animations.map(({ finished }) => finished))
    quietFrames = animations.length === 0 ? quietFrames + 1 : 0
  }
}
