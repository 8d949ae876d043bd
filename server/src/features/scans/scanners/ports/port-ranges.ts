import type { PortRange } from '../scanner.ts'
import { TOP_100, TOP_1000 } from './port-lists.ts'

const MAX_PORT = 65_535
const NAMED = new Map(Object.entries({ 'top-100': TOP_100, 'top-1000': TOP_1000, all: `1-${MAX_PORT}` }))

/** An invalid port list; the message completes "ports ...". */
export class PortListError extends Error {}

/**
 * Parses `top-100`, `top-1000`, `all`, or a list such as `22,80,8000-8100`, sorted and without duplicates.
 *
 * @throws PortListError
 */
export const readPorts = (text: string): readonly PortRange[] => {
  const ranges = (NAMED.get(text) ?? text).split(',').map((part): PortRange => {
    const [, from = '', to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part) ?? []
    const range = [Number(from), Number(to)] as const
    if (from === '' || range[0] < 1 || range[1] > MAX_PORT || range[0] > range[1])
      throw new PortListError(`are numbers from 1 to ${MAX_PORT}, and ranges of them; ${part} is neither`)
    return range
  })
  return merged(ranges)
}

/** Merges single ports, in any order, to ranges. */
export const rangesOf = (ports: Iterable<number>): readonly PortRange[] =>
  merged([...ports].map((port) => [port, port] as const))

export const countPorts = (ranges: readonly PortRange[]): number =>
  ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)

export function* portsIn(ranges: readonly PortRange[]): Generator<number> {
  for (const [from, to] of ranges) for (let port = from; port <= to; port++) yield port
}

/** Formats ranges as `22,8000-8100`. */
export const portsText = (ranges: readonly PortRange[]): string =>
  ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')

const merged = (ranges: readonly PortRange[]): readonly PortRange[] => {
  const found: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = found.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else found.push([from, to])
  }
  return found
}
