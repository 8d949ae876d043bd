import type { Page } from '@playwright/test'
import { expect } from '../server/sortie.ts'

/** Time in which a menu or dialog opens; most buttons open neither. */
const OPENING_MS = 700
const BUTTONS = 'main button:not([role]), aside:not([aria-label="Navigation"]) button:not([role])'
/** Asks whether to discard what was typed, or chooses a file. */
const LEFT_OUT = /^(?:Close|Cancel|Add files|Import|Choose)/

/**
 * Opens every menu and dialog that a button of the open page opens, one after another, and yields the name of the
 * button. Nothing is changed meanwhile: only reads reach the server.
 */
export async function* everyOverlay(page: Page): AsyncGenerator<string> {
  await page.route('**/api/web/**', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.abort('blockedbyclient'),
  )
  const address = page.url()
  const overlay = page.getByRole('dialog').or(page.getByRole('menu')).first()
  const tried = new Set<string>()
  for (let index = 0; index < (await page.locator(BUTTONS).count()); index++) {
    const button = page.locator(BUTTONS).nth(index)
    const name = await button.evaluate((element) =>
      (element.getAttribute('aria-label') ?? element.textContent ?? '').trim(),
    )
    // Rows have the same buttons, with their own names behind the verb.
    const kind = name.split(' ').slice(0, 2).join(' ')
    if (tried.has(kind) || LEFT_OUT.test(name) || !(await button.isVisible()) || !(await button.isEnabled())) continue
    tried.add(kind)
    await button.click({ force: true })
    const isOpen = await overlay.waitFor({ state: 'visible', timeout: OPENING_MS }).then(
      () => true,
      () => false,
    )
    if (isOpen) yield name
    for (let press = 0; press < 3 && (await overlay.isVisible()); press++) await page.keyboard.press('Escape')
    if (page.url() === address && !(await overlay.isVisible())) continue
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  }
  await page.unroute('**/api/web/**')
}
