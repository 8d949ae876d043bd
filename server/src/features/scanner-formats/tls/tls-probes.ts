import type { Severity } from '@sortie/contract/core/values.ts'
import {
  canonicalAddress,
  canonicalHost,
  canonicalName,
  canonicalPort,
  hostAndPort,
} from '../../inventory/sightings/canonical.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { InvalidSighting, requireHost, type Sighting, serviceSighting } from '../../inventory/sightings/sightings.ts'

/** A TLS service that a tool has examined. */
export interface TlsPlace {
  host: string
  askedName: string | undefined
  port: number
}

/** A name is contacted at its address, if the tool states one. @throws InvalidSighting without a host or a port */
export const tlsPlace = (name: unknown, address: unknown, writtenPort: unknown): TlsPlace => {
  const found = canonicalAddress(typeof address === 'string' ? address : '')
  const host = found ?? requireHost(name)
  const port = canonicalPort(writtenPort)
  if (port === undefined) throw new InvalidSighting('port must be from 1 to 65535')
  const asked = canonicalHost(typeof name === 'string' ? name : '')
  return { host, askedName: asked === undefined ? undefined : canonicalName(asked), port }
}

/** A service with the ciphers that it accepts: `TLSv1.2: AES128-SHA (weak)`. */
export const tlsService = (place: TlsPlace, ciphers: readonly string[], versions: readonly string[]): Sighting =>
  serviceSighting({
    ...place,
    protocol: 'tcp',
    tunnel: 'ssl',
    name: 'https',
    isNameGuessed: true,
    ciphers,
    tlsVersions: versions,
  })

/** Versions that must not be offered, rated as testssl.sh rates them (RFC 6176, RFC 7568, RFC 8996). */
const OLD_VERSIONS: Record<string, Severity | undefined> = {
  SSLv2: 'critical',
  SSLv3: 'high',
  'TLSv1.0': 'low',
  'TLSv1.1': 'low',
}

/** Findings for the old versions among the accepted ones; those that were tried and refused are passed checks. */
export const oldVersions = function* (
  tool: string,
  place: TlsPlace,
  accepted: readonly string[],
  tried: readonly string[],
): Generator<Sighting> {
  for (const version of new Set([...accepted, ...tried])) {
    const severity = OLD_VERSIONS[version]
    const passed = !accepted.includes(version)
    if (severity !== undefined) yield tlsFinding(tool, place, version, `${version} is offered`, severity, { passed })
  }
}

/** A finding about a TLS service, named as testssl.sh names its checks. */
export const tlsFinding = (
  tool: string,
  place: TlsPlace,
  ruleId: string,
  title: string,
  severity: Severity | null,
  { passed = false, ...more }: { cve?: string; evidence?: string[]; passed?: boolean } = {},
) =>
  vulnerabilitySighting({
    tool,
    ruleId,
    asset: `${hostAndPort(place.host, place.port)}/tcp`,
    ...place,
    protocol: 'tcp',
    title,
    severity: passed ? null : severity,
    passed,
    ...more,
  })
