import type { Item } from './format.ts'

/**
 * Hosts that a file has looked at whole: only once the part of a host has ended, and nothing of it was damaged, does the
 * file say what is not there any more.
 */
export class LookedAt {
  readonly #hosts = new Set<string>()

  begin(host: string): void {
    this.#hosts.add(host)
  }

  /** Passes items on. A damaged one may be any finding, so that none can be called gone. */
  *watch(items: Iterable<Item>): Generator<Item> {
    for (const item of items) {
      if (item.type === 'rejection') this.forget()
      yield item
    }
  }

  forget(): void {
    this.#hosts.clear()
  }

  /** The hosts since the last call. */
  *finish(): Generator<Item> {
    for (const host of this.#hosts) yield { type: 'coverage', coverage: { what: 'vulnerabilities', host } }
    this.#hosts.clear()
  }
}
