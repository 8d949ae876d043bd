import type { Coverage } from '../../results/coverages.ts'
import type { Severity } from '../../results/severities.ts'
import type { Item } from './format.ts'

/**
 * Hosts or sites that a file has looked at whole: only once the part of one has ended, and nothing of it was damaged, does
 * the file say what is not there any more.
 */
export class LookedAt {
  readonly #looked = new Map<string, Extract<Coverage, { what: 'vulnerabilities' }>>()

  /** @param site the asset alone that is looked at */
  begin(host: string, site?: string): void {
    this.#looked.set(site ?? host, { what: 'vulnerabilities', host, ...(site !== undefined && { site }) })
  }

  /** Passes items on. A damaged one may be any finding, so that none can be called gone. */
  *watch(items: Iterable<Item>): Generator<Item> {
    for (const item of items) {
      if (item.type === 'rejection') this.forget()
      yield item
    }
  }

  forget(): void {
    this.#looked.clear()
  }

  /**
   * Those since the last call.
   *
   * @param severities those alone that the file shows; by default all
   */
  *finish(severities?: readonly Severity[]): Generator<Item> {
    for (const coverage of this.#looked.values()) yield { type: 'coverage', coverage: { ...coverage, ...(severities && { severities }) } }
    this.#looked.clear()
  }

  /** Of those since the last call nothing is said, whatever another part of the file says of them. */
  *leaveOut(): Generator<Item> {
    for (const { host } of this.#looked.values()) yield { type: 'coverage', coverage: { what: 'nothing', host } }
    this.#looked.clear()
  }
}
