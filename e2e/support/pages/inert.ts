import type { Page } from '@playwright/test'
import { expect } from '../server/sortie.ts'

/** Elements that run, or send a request, if they come from markup. None of them belongs into user text. */
const ACTIVE =
  'script, iframe, object, embed, base, style, form[action], meta, link, svg script, animate, foreignObject'

/**
 * Checks that nothing shown has run, could run, or leads to more than a web address or a mail.
 *
 * @param frame the part of the page that shows user text
 */
export const expectInert = async (page: Page, frame = 'main'): Promise<void> => {
  const found = await page.evaluate(
    ([frameOf, active]) => {
      const frames = [...document.querySelectorAll(frameOf)]
      const within = (selector: string) => frames.flatMap((one) => [...one.querySelectorAll(selector)])
      const roots = [document, ...within('*').flatMap((element) => (element.shadowRoot ? [element.shadowRoot] : []))]
      return {
        frames: frames.length,
        hasRun: '__ran' in window,
        // Frameworks set handlers as properties: an attribute comes from markup.
        handlers: roots
          .flatMap((root) => [...root.querySelectorAll('*')])
          .flatMap((element) => element.getAttributeNames().filter((name) => name.startsWith('on'))),
        active: within(active).map((element) => element.outerHTML.slice(0, 200)),
        addresses: within('[href], [src], [action], [formaction], [srcdoc], [background], [poster], [data]')
          .map((element) => element.getAttribute('href') ?? element.getAttribute('src') ?? 'other')
          .filter(
            (value) =>
              !/^(?:https?|mailto|blob):|^data:image\/(?:png|svg\+xml);/i.test(
                URL.canParse(value, location.href) ? new URL(value, location.href).href : value,
              ),
          ),
      }
    },
    [frame, ACTIVE] as const,
  )
  expect({ address: page.url(), ...found }).toEqual({
    address: page.url(),
    frames: expect.any(Number),
    hasRun: false,
    handlers: [],
    active: [],
    addresses: [],
  })
  expect(found.frames, `${frame} is there`).toBeGreaterThan(0)
}
