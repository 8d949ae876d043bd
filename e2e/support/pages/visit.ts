import type { Page } from '@playwright/test'

/** The part of the web interface's router that is accessible from outside. */
interface OpenRouter {
  navigate(to: { href: string }): Promise<void>
}

/**
 * Opens a page of the web interface as a link does, without reloading the interface; returns when the router has
 * arrived. Use `page.goto` if nothing is loaded yet, or to discard typed text.
 */
export const visit = (page: Page, path: string): Promise<void> =>
  page.evaluate(async (href) => {
    await (globalThis as unknown as { __TSR_ROUTER__: OpenRouter }).__TSR_ROUTER__.navigate({ href })
  }, path)
