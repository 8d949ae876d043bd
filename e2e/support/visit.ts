import type { Page } from '@playwright/test'

/** What the router of the web interface offers to whoever looks at a page from outside. */
interface OpenRouter {
  navigate(to: { href: string }): Promise<void>
}

/**
 * Opens a page of the web interface as a link to it does, without loading the whole interface again; returns when the router
 * has arrived. Where nothing is loaded yet, or what was typed is to be forgotten, `page.goto` is for it.
 */
export const visit = (page: Page, path: string): Promise<void> =>
  page.evaluate(async (href) => {
    await (globalThis as unknown as { __TSR_ROUTER__: OpenRouter }).__TSR_ROUTER__.navigate({ href })
  }, path)
