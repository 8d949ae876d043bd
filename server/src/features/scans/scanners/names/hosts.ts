import { isIP } from 'node:net'
import type { Port } from '../../../scope/rules/recognise.ts'
import { failureOf } from '../failures.ts'
import { portPlaceOf } from '../places.ts'
import { type Found, type ScanInput, type PortRange, type ScanNetwork } from '../scanner.ts'

/** An address to scan, with its ports. */
export interface HostToScan {
  /** Identifies the address with these ports. */
  key: string
  address: string
  name: string | undefined
  ports: readonly PortRange[]
}

/** The permitted addresses of a scan input; for one without any, the log messages. */
export interface FoundHosts {
  hosts: HostToScan[]
  stated: Found[]
  /** A name and the keys of all its addresses, including those already found by another name. */
  named?: { name: string; keys: readonly string[] }
}

/**
 * Converts scan inputs to hosts: names become all their addresses, URLs and services only their own port. For UDP, TCP
 * services are scanned as whole hosts, because their port gives no hint. An address with several names is scanned once.
 * A whole host is permitted as such: one that scope rules allow only at some ports is left out.
 */
export const createFindHosts = (ports: readonly PortRange[], reach: ScanNetwork, protocol: 'tcp' | 'udp' = 'tcp') => {
  /** Remembers only addresses of names: a network may be large, and each of its addresses comes once. */
  const named = new Set<string>()

  return async (input: ScanInput): Promise<FoundHosts> => {
    const place = placeOf(input, ports, protocol)
    if (!place) return { hosts: [], stated: [] }
    const { host, address, ports: wanted, only } = place
    try {
      const addresses = await reach.evaluate({ host, address, only })
      const isName = isIP(host) === 0
      const fresh = addresses.filter((each) => !named.has(keyOf(each, wanted)))
      if (isName) for (const each of fresh) named.add(keyOf(each, wanted))
      return {
        hosts: fresh.map((each) => ({
          key: keyOf(each, wanted),
          address: each,
          name: isName ? host : undefined,
          ports: wanted,
        })),
        stated: [],
        ...(isName &&
          address === undefined && { named: { name: host, keys: addresses.map((each) => keyOf(each, wanted)) } }),
      }
    } catch (error) {
      reach.signal.throwIfAborted()
      return { hosts: [], stated: [{ type: 'skipped', host, reason: failureOf(error).reason }] }
    }
  }
}

const keyOf = (address: string, ports: readonly PortRange[]): string =>
  `${address} ${ports[0]?.join('-')} ${ports.length}`

interface HostPlace {
  host: string
  address?: string | undefined
  ports: readonly PortRange[]
  /** Set if only this port is scanned: scope rules may allow it and not its host. */
  only?: Port | undefined
}

const placeOf = (input: ScanInput, ports: readonly PortRange[], protocol: 'tcp' | 'udp'): HostPlace | undefined => {
  if (input.kind === 'name') return { host: input.name, ports }
  if (input.kind === 'address') return { host: input.name ?? input.address, address: input.address, ports }
  const place = portPlaceOf(input)
  if (!place || (place.protocol === 'udp' && protocol === 'tcp')) return undefined
  const { host, address, port } = place
  return place.protocol === protocol
    ? { host, address, ports: [[port, port]], only: { number: port, protocol } }
    : { host, address, ports }
}
