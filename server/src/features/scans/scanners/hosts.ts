import { isIP } from 'node:net'
import { failureOf } from './failures.ts'
import { portPlaceOf } from './places.ts'
import { type Found, type Lead, type PortRange, type Reach } from './scanner.ts'

/** An address to look at, and which of its ports. */
export interface HostToScan {
  /** Of the address on these ports. */
  key: string
  address: string
  name: string | undefined
  ports: readonly PortRange[]
}

/** A lead as addresses that may be touched; of one that leads nowhere, what is to be said about it. */
export interface FoundHosts {
  hosts: HostToScan[]
  said: Found[]
  /** A name, and keys of all its addresses, also of those that another name has led to before. */
  named?: { name: string; keys: readonly string[] }
}

/**
 * Makes hosts of leads: names become all their addresses, and URLs and services are looked at on their own port alone. Over
 * UDP, a port of TCP says nothing of which to ask: those are looked at as the host that they are on. An address that several
 * names lead to is looked at once.
 */
export const createFindHosts = (ports: readonly PortRange[], reach: Reach, protocol: 'tcp' | 'udp' = 'tcp') => {
  /** Of networks, which may be large, each address comes once anyway: only what names lead to is remembered. */
  const named = new Set<string>()

  return async (lead: Lead): Promise<FoundHosts> => {
    const place = placeOf(lead, ports, protocol)
    if (!place) return { hosts: [], said: [] }
    const { host, address, ports: wanted } = place
    try {
      const addresses = await reach.judge({ host, address })
      const isName = isIP(host) === 0
      const fresh = addresses.filter((each) => !named.has(keyOf(each, wanted)))
      if (isName) for (const each of fresh) named.add(keyOf(each, wanted))
      return {
        hosts: fresh.map((each) => ({ key: keyOf(each, wanted), address: each, name: isName ? host : undefined, ports: wanted })),
        said: [],
        ...(isName && address === undefined && { named: { name: host, keys: addresses.map((each) => keyOf(each, wanted)) } }),
      }
    } catch (error) {
      reach.signal.throwIfAborted()
      return { hosts: [], said: [{ type: 'skipped', host, reason: failureOf(error).reason }] }
    }
  }
}

const keyOf = (address: string, ports: readonly PortRange[]): string => `${address} ${ports[0]?.join('-')} ${ports.length}`

interface HostPlace {
  host: string
  address?: string | undefined
  ports: readonly PortRange[]
}

const placeOf = (lead: Lead, ports: readonly PortRange[], protocol: 'tcp' | 'udp'): HostPlace | undefined => {
  if (lead.kind === 'name') return { host: lead.name, ports }
  if (lead.kind === 'address') return { host: lead.name ?? lead.address, address: lead.address, ports }
  const place = portPlaceOf(lead)
  if (!place || (place.protocol === 'udp' && protocol === 'tcp')) return undefined
  const { host, address, port } = place
  return { host, address, ports: place.protocol === protocol ? [[port, port]] : ports }
}
