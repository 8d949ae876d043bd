import { without } from '../../imports/formats/nmap-coverage.ts'
import { canonicalName } from '../../results/canonical.ts'
import type { Found, PortRange } from './scanner.ts'

/** Ports that are closed at every address of a name: whoever asks by the name is answered there no more. */
export class ClosedAtNames {
  readonly #names = new Map<string, { name: string; keys: readonly string[] }>()
  readonly #closed = new Map<string, readonly PortRange[]>()

  /** @param keys of all its addresses, on the ports that are looked at */
  add(name: string, keys: readonly string[]): void {
    this.#names.set(`${name} ${keys.join()}`, { name, keys })
  }

  /** An address is through. */
  note(key: string, closed: readonly PortRange[]): void {
    this.#closed.set(key, closed)
  }

  *coverages(): Generator<Found> {
    for (const { name, keys } of this.#names.values()) {
      const [first = [], ...others] = keys.map((key) => this.#closed.get(key) ?? [])
      const closed = others.reduce((common, ranges) => without(common, without(common, ranges)), first)
      if (closed.length > 0) yield { type: 'coverage', coverage: { what: 'ports', host: canonicalName(name) ?? name, protocol: 'tcp', ranges: closed, closed } }
    }
  }
}
