import type { Severity } from '@sortie/contract/core/values.ts'
import type { Coverage } from '../../inventory/coverage/coverage.ts'
import type { Item } from '../registry/format.ts'

/**
 * Tracks hosts or sites that a file covers completely. Coverage is reported only once their part of the file ends
 * undamaged.
 */
export class CoverageTracker {
  readonly #looked = new Map<string, Extract<Coverage, { what: 'vulnerabilities' }>>()

  /** @param site the only asset that is covered */
  begin(host: string, site?: string): void {
    this.#looked.set(site ?? host, { what: 'vulnerabilities', host, ...(site !== undefined && { site }) })
  }

  /** Forwards items. A damaged item could be any finding, so it voids the coverage. */
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
   * Reports the coverage since the last call.
   *
   * @param severities the only severities that the file includes; default: all
   */
  *finish(severities?: readonly Severity[]): Generator<Item> {
    for (const coverage of this.#looked.values())
      yield { type: 'coverage', coverage: { ...coverage, ...(severities && { severities }) } }
    this.#looked.clear()
  }

  /** Excludes the hosts since the last call from coverage, whatever other parts of the file state. */
  *leaveOut(): Generator<Item> {
    for (const { host } of this.#looked.values()) yield { type: 'coverage', coverage: { what: 'nothing', host } }
    this.#looked.clear()
  }
}
