import type { Item } from '../registry/format.ts'

/** Counts checks that passed, for a warning. */
export class PassedChecks {
  #count = 0;

  *watch(items: Iterable<Item>): Generator<Item> {
    for (const item of items) {
      if (item.type === 'sighting' && item.sighting.passed) this.#count++
      yield item
    }
  }

  *warnings(): Generator<Item> {
    if (this.#count > 0) yield { type: 'warning', text: `Checks that passed and are not findings: ${this.#count}.` }
  }
}
