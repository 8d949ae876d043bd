import { isIP } from 'node:net'
import { isoTime } from '../../platform/clock.ts'
import type { Operation } from '../operations/operations.service.ts'
import type { Contact } from './formats/contacts.ts'

/** So many addresses and protocols of a file are written down; beyond them the import has a warning. */
export const MAX_CONTACTS = 100_000
const MAX_RANGES = 1_000

interface Asked {
  host: string
  protocol: string | null
  from: number
  to: number
  ports: Map<number, number>
}

/** What a file says was asked, and when: gathered by address and protocol while it is read. */
export class FileContacts {
  readonly #asked = new Map<string, Asked>()
  isFull = false

  note({ host, protocol, ports, from, to }: Contact): void {
    const key = `${host} ${protocol}`
    const known = this.#asked.get(key)
    if (!known && this.#asked.size >= MAX_CONTACTS) {
      this.isFull = true
      return
    }
    const asked = known ?? { host, protocol, from, to, ports: new Map<number, number>() }
    asked.from = Math.min(asked.from, from)
    asked.to = Math.max(asked.to, to)
    for (const [first, last] of ports) {
      if (asked.ports.size >= MAX_RANGES) break
      asked.ports.set(first, Math.max(last, asked.ports.get(first) ?? first))
    }
    this.#asked.set(key, asked)
  }

  /** Rows of the operation log. Who sent it, and from where, no file says. */
  operations(importId: string, tool: string): Operation[] {
    return [...this.#asked.values()].map(({ host, protocol, from, to, ports }) => {
      const ranges = merged(ports)
      const [first] = ranges
      const isOne = ranges.length === 1 && first?.[0] === first?.[1]
      return {
        kind: 'import',
        importId,
        startedAt: isoTime(from),
        endedAt: isoTime(to),
        sourceAddress: null,
        address: isIP(host) ? host : null,
        host: isIP(host) ? null : host,
        port: isOne ? (first?.[0] as number) : null,
        ports: isOne || ranges.length === 0 ? null : ranges.map(([low, high]) => (low === high ? String(low) : `${low}-${high}`)).join(','),
        protocol,
        by: null,
        note: tool,
      }
    })
  }
}

/** In their order, and those that touch taken together. */
const merged = (ports: ReadonlyMap<number, number>): [number, number][] => {
  const ranges: [number, number][] = []
  for (const [from, to] of [...ports].toSorted(([a], [b]) => a - b)) {
    const last = ranges.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else ranges.push([from, to])
  }
  return ranges
}
