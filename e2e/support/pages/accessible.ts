import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'

/** Less than half as long as the package's own script for pages. */
const CHECKER = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** These find at most moderate problems, which are left out anyway. */
const MODERATE_RULES = [
  'aria-allowed-role aria-deprecated-role empty-heading empty-table-header focus-order-semantics form-field-multiple-labels heading-order',
  'hidden-content image-redundant-alt landmark-banner-is-top-level landmark-contentinfo-is-top-level landmark-main-is-top-level',
  'landmark-no-duplicate-banner landmark-no-duplicate-contentinfo landmark-no-duplicate-main landmark-one-main landmark-unique',
  'page-has-heading-one presentation-role-conflict region skip-link table-duplicate-name',
].flatMap((line) => line.split(' '))

/** Only colours differ between the themes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * Serious findings of the accessibility checker on the current page, one line each. The checker is injected into each
 * document once, and reports only failures: passes would be most of its work.
 *
 * @param rules all by default
 */
export const accessibilityFindings = async (page: Page, rules?: string[]): Promise<string[]> => {
  await page.evaluate(endOfTransitions)
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(CHECKER)
  const chosenRules = rules
    ? { runOnly: rules }
    : { rules: Object.fromEntries(MODERATE_RULES.map((rule) => [rule, { enabled: false }])) }
  const options: RunOptions = { resultTypes: ['violations'], preload: false, ...chosenRules }
  const violations = await page.evaluate(async (chosen) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe
    const { violations: found } = await run(document, chosen)
    return found
  }, options)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary?.slice(0, 240)}`).join(' | ')}`,
    )
}

export const expectAccessible = async (page: Page): Promise<void> => {
  expect(await accessibilityFindings(page)).toEqual([])
}

/** The findings on the current page, in the light theme and in the dark one. The page is left in the light one. */
export const findingsInBothThemes = async (page: Page): Promise<{ light: string[]; dark: string[] }> => {
  const light = await accessibilityFindings(page)
  await setScheme(page, 'dark')
  const dark = await accessibilityFindings(page, COLOUR_RULES)
  await setScheme(page, 'light')
  return { light, dark }
}

const setScheme = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`)).toHaveCount(1)
}

/** A colour in transition has neither of its values; one that inherits it may start a frame later. */
const endOfTransitions = async (): Promise<void> => {
  const running = () =>
    document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
  for (let quietFrames = 0; quietFrames < 3;) {
    await new Promise(requestAnimationFrame)
    const animations = running()
    await Promise.allSettled(animations.map(({ finished }) => finished))
    quietFrames = animations.length === 0 ? quietFrames + 1 : 0
  }
}
