import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AddressRange, rangeText } from '../../scope/rules/address-range.ts'
import { evaluate, type RuleSet } from '../../scope/rules/rule-set.ts'
import { subjectOf } from '../../targets/target-keys.ts'
import type { ScanTarget } from '../../targets/targets.queries.ts'
import type { ScanInput } from '../scanners/scanner.ts'

/** Network addresses evaluated per batch: a few milliseconds. */
const JUDGED_AT_ONCE = 512

/** The first scan input of a target; for a network, its first address represents all. */
export interface Start {
  input: ScanInput
  /** Set for networks. */
  network: AddressRange | undefined
  /** Number of scan inputs of the target. */
  count: number
}

/** Returns the scan input of a target; undefined for kinds that are not on a network (clouds, repositories, others). */
export const startOf = ({
  kind,
  canonical,
  order_key,
}: Pick<ScanTarget, 'kind' | 'canonical' | 'order_key'>): Start | undefined => {
  const one = (input: ScanInput): Start => ({ input, network: undefined, count: 1 })
  if (kind === 'domain') return one({ kind: 'name', name: canonical })
  if (kind === 'ip') return one({ kind: 'address', address: canonical })
  if (kind === 'url') return one({ kind: 'url', url: canonical })
  const host = subjectOf(kind, canonical, order_key)?.host
  if (kind === 'cidr' && typeof host === 'object') {
    return {
      input: { kind: 'address', address: rangeText({ ...host, last: host.first }) },
      network: host,
      count: Number(host.last - host.first) + 1,
    }
  }
  const [, port = '', protocol = ''] = (kind === 'service' && /:(\d+)\/(tcp|udp)$/.exec(canonical)) || []
  if (host === undefined || port === '') return undefined
  const address = typeof host === 'string' ? host : rangeText(host)
  const name = typeof host === 'string' ? { name: host } : {}
  return one({ kind: 'service', address, ...name, protocol: protocol as 'tcp' | 'udp', port: Number(port) })
}

/** Yields the addresses of a network. Skips and counts those that the current rules deny. */
export async function* addressesOf(
  { family, first, last }: AddressRange,
  rulesNow: () => Promise<RuleSet | undefined>,
  onSkipped: (count: number) => void,
): AsyncGenerator<ScanInput> {
  for (let at = first; at <= last; at += BigInt(JUDGED_AT_ONCE)) {
    const rules = await rulesNow()
    await nextTurn()
    let skipped = 0
    for (let address = at; address <= last && address < at + BigInt(JUDGED_AT_ONCE); address++) {
      const single = { family, first: address, last: address }
      if (rules && evaluate(rules, { host: single }).verdict === 'out') skipped++
      else yield { kind: 'address', address: rangeText(single) }
    }
    if (skipped > 0) onSkipped(skipped)
  }
}

/** Returns a key that identifies a scan input. */
export const inputKey = (input: ScanInput): string => {
  if (input.kind === 'name') return `name ${input.name}`
  if (input.kind === 'url') return `url ${input.url}`
  if (input.kind === 'address') return `address ${input.address} ${input.name ?? ''}`
  return `service ${input.address} ${input.protocol} ${input.port} ${input.name ?? ''}`
}
