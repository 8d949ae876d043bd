import { isIP } from 'node:net'
import { isoTime } from '../../platform/clock.ts'
import type { Range } from '../inventory/coverage/coverage.ts'
import type { Operation } from '../operation-log/operation-log.service.ts'
import type { ProbeRecord } from '../scanner-formats/fields/probes.ts'

/** Limit of addresses and protocols logged per file. Above it the import has a warning. */
export const MAX_PROBES = 100_000
const MAX_RANGES = 1_000

interface Asked {
  host: string
  address: string | null
  protocol: string | null
  from: number
  to: number
  /** Taken from the file and shared by the hosts of one run; copied once a host has several entries. */
  ports: readonly Range[] | Map<number, number>
}

/** Collects what a file states was probed and when, by address and protocol, while the file is read. */
export class FileProbes {
  readonly #asked = new Map<string, Asked>()
  isFull = false

  note({ host, address = null, protocol, ports, from, to }: ProbeRecord): void {
    const key = `${host} ${address} ${protocol}`
    const known = this.#asked.get(key)
    if (!known && this.#asked.size >= MAX_PROBES) {
      this.isFull = true
      return
    }
    if (!known) {
      this.#asked.set(key, { host, address, protocol, from, to, ports })
      return
    }
    known.from = Math.min(known.from, from)
    known.to = Math.max(known.to, to)
    if (known.ports === ports) return
    if (!(known.ports instanceof Map)) known.ports = addTo(new Map(), known.ports)
    addTo(known.ports, ports)
  }

  /** Returns operation log entries. Files do not state who sent the probes, or from where. */
  operations(importId: string, tool: string): Operation[] {
    const written = new Map<Asked['ports'], Pick<Operation, 'port' | 'ports'>>()
    return [...this.#asked.values()].map(({ host, address, protocol, from, to, ports }) => {
      const text = written.get(ports) ?? portsWritten(ports)
      if (!(ports instanceof Map)) written.set(ports, text)
      return {
        kind: 'import',
        importId,
        startedAt: isoTime(from),
        endedAt: isoTime(to),
        sourceAddress: null,
        address: isIP(host) ? host : address,
        host: isIP(host) ? null : host,
        ...text,
        protocol,
        by: null,
        note: tool,
      }
    })
  }
}

const addTo = (known: Map<number, number>, ports: readonly Range[]): Map<number, number> => {
  for (const [first, last] of ports) {
    if (known.size >= MAX_RANGES) break
    known.set(first, Math.max(last, known.get(first) ?? first))
  }
  return known
}

const portsWritten = (ports: Asked['ports']): Pick<Operation, 'port' | 'ports'> => {
  const ranges = merged(ports instanceof Map ? ports : addTo(new Map(), ports))
  const [first] = ranges
  if (first === undefined) return { port: null, ports: null }
  if (ranges.length === 1 && first[0] === first[1]) return { port: first[0], ports: null }
  return { port: null, ports: ranges.map(([low, high]) => (low === high ? String(low) : `${low}-${high}`)).join(',') }
}

/** Sorts the ranges and joins adjacent ones. */
const merged = (ports: ReadonlyMap<number, number>): [number, number][] => {
  const ranges: [number, number][] = []
  for (const [from, to] of [...ports].toSorted(([a], [b]) => a - b)) {
    const last = ranges.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else ranges.push([from, to])
  }
  return ranges
}
