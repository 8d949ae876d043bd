import type { Coverage, Range } from '../../inventory/coverage/coverage.ts'
import { childOf, childrenOf, type Element } from '../readers/xml.ts'

/** Ports that a run scans, by protocol. */
export type ScannedPorts = ReadonlyMap<string, readonly Range[]>

/**
 * A response, or the system's notice that nothing listens. Other states prove nothing; `unfiltered` may be open or
 * closed.
 */
const CERTAIN = new Set(['open', 'closed'])
const MAX_RANGES = 65_536

/** Parses `1,3-4,6`; skips invalid parts. */
export const readRanges = (services: string): Range[] => {
  const ranges: Range[] = []
  for (const part of services.split(',').slice(0, MAX_RANGES)) {
    const found = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part.trim())
    if (!found) continue
    const [from, to] = [Number(found[1]), Number(found[2] ?? found[1])]
    if (from <= to && to <= 65_535) ranges.push([from, to])
  }
  return ranges
}

/**
 * Returns the ports of a host whose state is certain: those in `scaninfo`, without those that are listed or summarized
 * (`extraports`) as filtered, open|filtered or unknown. Only listed ports are certain if several summaries do not name
 * their ports, or if a run with `--open` does not account for all other ports.
 *
 * @param hidesPorts the run shows only open ports (`--open`)
 */
export const coveredPorts = (host: string, element: Element, looked: ScannedPorts, hidesPorts = false): Coverage[] => {
  const ports = childOf(element, 'ports')
  if (!ports) return []
  const listed = childrenOf(ports, 'port')
  const sums = childrenOf(ports, 'extraports')
  const isAccounted = !hidesPorts || listed.length + sumOf(sums) >= sizeOf([...looked.values()].flat())
  return [...looked].flatMap(([protocol, ranges]) => {
    const own = listed.filter(({ attributes }) => attributes['protocol'] === protocol)
    const certain = (port: Element) => CERTAIN.has(stateOf(port))
    const uncertain = own.filter((port) => !certain(port)).map(portNumber)
    const rest = isAccounted ? uncertainRest(sums, protocol) : 'all'
    const covered =
      rest === 'all'
        ? own.filter(certain).map((port) => single(portNumber(port)))
        : without(ranges, [...rest, ...uncertain.map(single)])
    const closed = without(
      covered,
      own.filter((port) => stateOf(port) === 'open').map((port) => single(portNumber(port))),
    )
    return covered.length > 0 ? [{ what: 'ports', host, protocol, ranges: covered, closed } as const] : []
  })
}

const sumOf = (sums: readonly Element[]): number =>
  sums.reduce((sum, { attributes }) => sum + (Number(attributes['count']) || 0), 0)
const sizeOf = (ranges: readonly Range[]): number => ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)

const stateOf = (port: Element): string => childOf(port, 'state')?.attributes['state'] ?? ''
const portNumber = (port: Element): number => Number(port.attributes['portid'])
const single = (port: number): Range => [port, port]

/** Returns the summarized ranges that are uncertain, or `all` for every unlisted port. */
const uncertainRest = (sums: readonly Element[], protocol: string): Range[] | 'all' => {
  const reasons = sums.flatMap((sum) =>
    childrenOf(sum, 'extrareasons').map(({ attributes }) => ({
      state: sum.attributes['state'] ?? '',
      protocol: attributes['proto'],
      ports: attributes['ports'],
    })),
  )
  const vague = sums.filter((sum) => !CERTAIN.has(sum.attributes['state'] ?? ''))
  if (vague.length === 0) return []
  const uncertain = reasons.filter(({ state }) => !CERTAIN.has(state))
  if (
    vague.some((sum) => childrenOf(sum, 'extrareasons').length === 0) ||
    uncertain.some(({ ports }) => ports === undefined)
  )
    return 'all'
  return uncertain
    .filter((reason) => reason.protocol === undefined || reason.protocol === protocol)
    .flatMap(({ ports }) => readRanges(ports as string))
}

/** Subtracts ranges from others, in order. */
export const without = (ranges: readonly Range[], less: readonly Range[]): Range[] => {
  const sorted = less.toSorted((a, b) => a[0] - b[0])
  return ranges.flatMap(([from, to]) => {
    const left: Range[] = []
    let next = from
    for (const [lessFrom, lessTo] of sorted) {
      if (lessTo < next) continue
      if (lessFrom > to) break
      if (lessFrom > next) left.push([next, lessFrom - 1])
      next = lessTo + 1
    }
    if (next <= to) left.push([next, to])
    return left
  })
}
