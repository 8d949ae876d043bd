import { canonicalName } from '../../../inventory/sightings/canonical.ts'
import { without } from '../../../scanner-formats/nmap/nmap-coverage.ts'
import type { Found, PortRange } from '../scanner.ts'

/** Finds ports that are closed at every address of a name: nothing responds there by that name. */
export class ClosedAtNames {
  readonly #names = new Map<string, { name: string; keys: readonly string[] }>()
  readonly #closed = new Map<string, readonly PortRange[]>()

  /** @param keys keys of all its addresses, with the scanned ports */
  add(name: string, keys: readonly string[]): void {
    this.#names.set(`${name} ${keys.join()}`, { name, keys })
  }

  /** Notes the closed ports of a finished address. */
  note(key: string, closed: readonly PortRange[]): void {
    this.#closed.set(key, closed)
  }

  *coverages(): Generator<Found> {
    for (const { name, keys } of this.#names.values()) {
      const [first = [], ...others] = keys.map((key) => this.#closed.get(key) ?? [])
      const closed = others.reduce((common, ranges) => without(common, without(common, ranges)), first)
      if (closed.length > 0)
        yield {
          type: 'coverage',
          coverage: { what: 'ports', host: canonicalName(name) ?? name, protocol: 'tcp', ranges: closed, closed },
        }
    }
  }
}
