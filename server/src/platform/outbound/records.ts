import { Resolver } from 'node:dns/promises'
import { type Address, parseAddress } from './addresses.ts'

const QUERY_TIMEOUT_MS = 3_000
const TRIES = 2
/** No such name, or no such record. With any other error, the name servers have not answered. */
const NOTHING_THERE = ['ENOTFOUND', 'ENODATA']

export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'CAA', 'PTR'] as const
export type RecordType = (typeof RECORD_TYPES)[number]

export interface DnsRecord {
  /** In zone file format; for MX only the name. */
  value: string
  /** Seconds; known for addresses only. */
  ttl?: number
}

export interface Records {
  /**
   * Finds the records of a name, or, for type PTR, the names of an address; an empty list if the name servers report
   * none.
   *
   * @throws what `node:dns` throws without a valid answer: time-outs, SERVFAIL, malformed answers
   */
  find(name: string, type: RecordType): Promise<DnsRecord[]>
  /** Cancels open queries. */
  cancel(): void
}

/**
 * Queries `DNS_SERVERS` if set, otherwise the name servers of the system. A query takes at most 15 seconds.
 *
 * @param requireLive throws in safe mode
 */
export const createRecords = (servers: readonly string[] | undefined, requireLive: () => Promise<void>): Records => {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  return {
    find: async (name, type) => {
      await requireLive()
      try {
        return await ASK[type](resolver, name)
      } catch (error) {
        if (NOTHING_THERE.includes((error as NodeJS.ErrnoException).code ?? '')) return []
        throw error
      }
    },
    cancel: () => resolver.cancel(),
  }
}

const addresses = (found: readonly { address: string; ttl: number }[]): DnsRecord[] =>
  found.map(({ address, ttl }) => ({ value: address, ttl }))
const values = (found: readonly string[]): DnsRecord[] => found.map((value) => ({ value }))

const ASK: Readonly<Record<RecordType, (resolver: Resolver, name: string) => Promise<DnsRecord[]>>> = {
  A: async (resolver, name) => addresses(await resolver.resolve4(name, { ttl: true })),
  AAAA: async (resolver, name) => addresses(await resolver.resolve6(name, { ttl: true })),
  CNAME: async (resolver, name) => values(await resolver.resolveCname(name)),
  MX: async (resolver, name) => values((await resolver.resolveMx(name)).map(({ exchange }) => exchange)),
  NS: async (resolver, name) => values(await resolver.resolveNs(name)),
  TXT: async (resolver, name) => values((await resolver.resolveTxt(name)).map((chunks) => chunks.join(''))),
  SOA: async (resolver, name) => {
    const { nsname, hostmaster, serial, refresh, retry, expire, minttl } = await resolver.resolveSoa(name)
    return values([[nsname, hostmaster, serial, refresh, retry, expire, minttl].join(' ')])
  },
  CAA: async (resolver, name) => values((await resolver.resolveCaa(name)).flatMap(caaTexts)),
  // Not `reverse`, which reads the hosts file of this machine first.
  PTR: async (resolver, address) => values(await resolver.resolvePtr(pointerName(address))),
}

/** `5.0.0.10.in-addr.arpa` (RFC 1035, 3.5), or the nibbles of IPv6 below `ip6.arpa` (RFC 3596, 2.5). */
const pointerName = (text: string): string => {
  const address: Address | undefined = parseAddress(text)
  if (!address) throw new Error('PTR can be looked up only for addresses')
  const bytes = address.toByteArray()
  if (address.kind() === 'ipv4') return `${bytes.toReversed().join('.')}.in-addr.arpa`
  const nibbles = [...Buffer.from(bytes).toString('hex')]
  return `${nibbles.toReversed().join('.')}.ip6.arpa`
}

/** Turns `{ critical: 0, issue: 'letsencrypt.org' }` into `0 issue "letsencrypt.org"`. */
const caaTexts = ({ critical, ...properties }: { critical: number }): string[] =>
  Object.entries(properties)
    .filter(([tag]) => tag !== 'type')
    .map(([tag, value]) => `${critical} ${tag} ${JSON.stringify(value)}`)
