import type { Locator, Page } from '@playwright/test'

/** Counts what a user presses and clicks. Text that is typed is not counted: it is the same in every product. */
export class Counted {
  readonly #page: Page
  #keys = 0
  #clicks = 0

  constructor(page: Page) {
    this.#page = page
  }

  /** Each counts as one, also a combination such as `Control+Enter`. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.#keys++
      await this.#page.keyboard.press(key)
    }
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text)
  }

  async click(target: Locator): Promise<void> {
    this.#clicks++
    await target.click()
  }

  async drag(from: Locator, to: Locator, place: { x: number; y: number }): Promise<void> {
    this.#clicks++
    await from.dragTo(to, { targetPosition: place })
  }

  /** @returns keys and clicks since the last call */
  drain(): number {
    const sum = this.#keys + this.#clicks
    this.#keys = 0
    this.#clicks = 0
    return sum
  }
}
