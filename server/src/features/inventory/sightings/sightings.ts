import type { RESULT_KINDS, Severity } from '@sortie/contract/core/values.ts'
import {
  canonicalHost,
  canonicalName,
  canonicalUrl,
  hostAndPort,
  MAX_VALUE_LENGTH,
  type Protocol,
} from './canonical.ts'
import { cleanLine, cleanLines, cleanText, withoutBlanks } from './clean.ts'
import { fingerprintOf, orderKey } from './fingerprints.ts'
import { type LeftOut, Limited, separated } from './left-out.ts'

export type Kind = (typeof RESULT_KINDS)[number]

export type Disposition = 'accepted' | 'false_positive' | 'confirmed'

/** What a source decides about a finding that is known from elsewhere (VEX). */
export type Verdict = 'false_positive' | 'fixed' | 'confirmed'

/** A result as a tool saw it, in a form common to all tools. */
export interface Sighting {
  kind: Kind
  /** Fingerprint: SHA-256, unique within an engagement. */
  identity: string
  /** One line: `10.0.0.5:443/tcp`. */
  asset: string
  assetKey: string
  /** Canonical address or name; null if the sighting has no host. */
  host: string | null
  /** The name by which the address was contacted. */
  askedName: string | null
  /** The address that was contacted by the name, if the source reports it. */
  address: string | null
  /** Set for an http or https URL: scope rules evaluate its path. */
  url: string | null
  protocol: string | null
  port: number | null
  title: string
  severity: Severity | null
  /** The tool's word for the severity, if it is none that is known. */
  unknownSeverity: string | null
  /** A decision that someone made in the tool, without an expiry date. */
  disposition: Disposition | null
  /** The check passed: a known result is fixed, and no new one is created. */
  passed: boolean
  /** Decides about a known finding; no new one is created. Null: an ordinary sighting. */
  verdict: Verdict | null
  /** Fingerprints of older versions of Sortie, the newest first. */
  aliases: readonly string[]
  data: Record<string, unknown>
  /** What the lists of the data lack, because they were too long. */
  leftOut: LeftOut
  /** Guessed fields: they fill blanks and never replace known data. */
  guesses: readonly string[]
  /** Partial lists: they add to known data and never replace it. */
  parts: readonly string[]
}

/** A tool's record that cannot become a result; the message states the reason. */
export class InvalidSighting extends Error {}

/** @throws InvalidSighting if the value is neither an address nor a name */
export const requireHost = (written: unknown, what = 'host'): string => {
  const host = typeof written === 'string' ? canonicalHost(written) : undefined
  if (host === undefined) throw new InvalidSighting(`${what} is neither an address nor a name`)
  return host
}

/** @throws InvalidSighting if the value is not an http or https URL */
export const requireUrl = (written: unknown, what = 'url'): URL => {
  const url = typeof written === 'string' ? canonicalUrl(written) : undefined
  if (!url) throw new InvalidSighting(`${what} is not an http or https URL`)
  return url
}

const requireShort = (value: string, what: string): string => {
  if (value.length > MAX_VALUE_LENGTH) throw new InvalidSighting(`${what} has more than ${MAX_VALUE_LENGTH} characters`)
  return value
}

interface SightingInput {
  kind: Kind
  tuple: readonly (string | number | null)[]
  asset: string
  host?: string | null
  askedName?: string | undefined
  address?: string | undefined
  url?: string | undefined
  protocol?: string
  port?: number | null
  title: string | undefined
  severity?: Severity | null
  unknownSeverity?: string | null
  disposition?: Disposition | null
  passed?: boolean
  verdict?: Verdict | null
  /** Tuples from which older versions computed the fingerprint. */
  formerly?: readonly (readonly (string | number | null)[])[]
  /** Lists may be limited ones. */
  data: Record<string, unknown>
  guesses?: readonly string[]
  parts?: readonly string[]
}

/** Builds a sighting. @throws InvalidSighting for values that are too long */
export const sighting = ({
  kind,
  tuple,
  asset,
  host = null,
  askedName,
  address,
  url,
  protocol,
  port = null,
  title,
  severity = null,
  unknownSeverity = null,
  disposition = null,
  passed = false,
  verdict = null,
  formerly = [],
  data,
  guesses = [],
  parts = [],
}: SightingInput): Sighting => {
  const line = requireShort(cleanLine(asset, MAX_VALUE_LENGTH + 1) ?? '', 'asset')
  const fields = separated(data)
  return {
    kind,
    identity: identityOfTuple(kind, tuple),
    asset: line,
    assetKey: orderKey({ asset: line, host, port, ...(protocol !== undefined && { protocol }) }),
    host,
    askedName: (askedName !== undefined && askedName !== host && canonicalName(askedName)) || null,
    address: (host !== null && canonicalName(host) !== undefined && address) || null,
    url: url ?? null,
    protocol: protocol ?? null,
    port,
    title: cleanLine(title) ?? line,
    severity,
    unknownSeverity,
    disposition,
    passed,
    verdict,
    aliases: formerly.map((former) => identityOfTuple(kind, former)),
    data: withoutBlanks(fields.data),
    leftOut: fields.leftOut,
    guesses,
    parts,
  }
}

const identityOfTuple = (kind: Kind, tuple: SightingInput['tuple']): string =>
  fingerprintOf([
    kind,
    ...tuple.map((part) =>
      typeof part === 'string' ? requireShort(part, 'value').replaceAll('\u0000', '').toWellFormed() : part,
    ),
  ])

export interface HostSeen {
  host: string
  askedName?: string | undefined
  up?: boolean
  hostnames?: readonly string[]
  os?: unknown
  mac?: unknown
  vendor?: unknown
  cpe?: unknown
  /** In percent, as nmap estimates it. */
  osAccuracy?: number | undefined
  /** Since when the system runs, or for how long, in words. */
  uptime?: unknown
  /** Ports that the tool counts and does not list: `996 closed (reset), 3 filtered (no-response)`. */
  otherPorts?: unknown
  /** A line for each hop. */
  traceroute?: unknown
  scripts?: Record<string, string>
  /** How it answered, such as `echo-reply`. */
  reason?: unknown
  /** Whether the tool logged on to it. */
  credentialed?: unknown
}

export const hostSighting = ({
  host: written,
  askedName,
  up,
  hostnames = [],
  os,
  mac,
  vendor,
  ...seen
}: HostSeen): Sighting => {
  const host = requireHost(written)
  const names = [
    ...new Set(hostnames.map((name) => canonicalName(name)).filter((name) => name !== undefined && name !== host)),
  ]
  return sighting({
    kind: 'host',
    tuple: [host],
    asset: host,
    host,
    askedName,
    title: host,
    data: {
      up,
      hostnames: names,
      os: cleanLine(os),
      osAccuracy: seen.osAccuracy,
      cpe: cleanLines(seen.cpe),
      mac: cleanLine(mac)?.toLowerCase(),
      vendor: cleanLine(vendor),
      uptime: cleanLine(seen.uptime),
      reason: cleanLine(seen.reason),
      credentialed: cleanLine(seen.credentialed),
      otherPorts: cleanLine(seen.otherPorts),
      traceroute: cleanText(seen.traceroute),
      scripts: scriptsOf(seen.scripts),
    },
  })
}

export interface ServiceSeen {
  host: string
  askedName?: string | undefined
  protocol: Protocol
  port: number
  name?: unknown
  product?: unknown
  version?: unknown
  extraInfo?: unknown
  cpe?: unknown
  tunnel?: unknown
  banner?: unknown
  scripts?: Record<string, string>
  /** The name is derived from the port or a banner. */
  isNameGuessed?: boolean
  /** Fields that only fill blanks, in addition to the name. */
  guesses?: readonly string[]
  /** A port without an answer is `filtered`: it was looked at, and nothing is known about it. */
  state?: string
  /** The name that the service itself states. */
  hostname?: unknown
  os?: unknown
  deviceType?: unknown
  /** What it accepts: `TLSv1.2: AES128-SHA (weak)`. */
  ciphers?: readonly string[]
  tlsVersions?: readonly string[]
  /** The content delivery network that responds at the address: the port belongs to that network. */
  cdn?: string | undefined
}

/** Builds the sighting of an open port. HTTP over TLS is named `https`, whatever the tool calls it. */
export const serviceSighting = ({
  host: written,
  askedName,
  protocol,
  port,
  isNameGuessed = false,
  cdn,
  ...seen
}: ServiceSeen): Sighting => {
  const host = requireHost(written)
  const tunnel = cleanLine(seen.tunnel)
  const stated = cleanLine(seen.name)
  const name = stated === 'http' && (tunnel === 'ssl' || tunnel === 'tls') ? 'https' : stated
  const [product, version] = [cleanLine(seen.product), cleanLine(seen.version)]
  const extraInfo = cleanLine(seen.extraInfo)
  return sighting({
    kind: 'service',
    tuple: [host, protocol, port],
    asset: `${hostAndPort(host, port)}/${protocol}`,
    host,
    askedName,
    protocol,
    port,
    title: serviceTitle({ protocol, port, name, product, version }),
    guesses: [
      ...(seen.guesses ?? []),
      ...(isNameGuessed ? ['name'] : []),
      ...(extraInfo === undefined && cdn !== undefined ? ['extraInfo'] : []),
    ],
    data: {
      address: host,
      protocol,
      port,
      state: seen.state ?? 'open',
      name,
      product,
      version,
      extraInfo: extraInfo ?? cleanLine(cdn && `CDN: ${cdn}`),
      cpe: cleanLines(seen.cpe),
      tunnel,
      banner: cleanText(seen.banner),
      hostname: cleanLine(seen.hostname),
      os: cleanLine(seen.os),
      deviceType: cleanLine(seen.deviceType),
      ciphers: cleanLines(seen.ciphers ?? []),
      tlsVersions: cleanLines(seen.tlsVersions ?? []),
      scripts: scriptsOf(seen.scripts),
    },
  })
}

/** The fields of a service that make up its title. */
interface NamedService {
  protocol: string
  port: number
  name?: string | null
  product?: string | null
  version?: string | null
}

/** Returns the title of a service, such as `https (nginx 1.25.3)`, from the fields of all tools. */
export const serviceTitle = (data: Record<string, unknown>): string => {
  const { protocol, port, name, product, version } = data as unknown as NamedService
  const program = [product, version].filter(Boolean).join(' ')
  return [name ?? `${protocol}/${port}`, program && `(${program})`].filter(Boolean).join(' ')
}

/** Per result. */
export const MAX_SCRIPTS = 100

const scriptsOf = (scripts: Record<string, string> = {}): Limited<Record<string, string>> | undefined => {
  const all = Object.entries(scripts)
  const entries = all.slice(0, MAX_SCRIPTS).map(([id, output]) => [cleanLine(id), cleanText(output)] as const)
  const kept = entries.filter(([id, output]) => id !== undefined && output !== undefined)
  if (kept.length === 0) return undefined
  return new Limited(Object.fromEntries(kept) as Record<string, string>, Math.max(0, all.length - MAX_SCRIPTS))
}

const ADDRESS_TYPES = new Set(['A', 'AAAA'])
const NAME_TYPES = new Set(['CNAME', 'NS', 'PTR', 'MX'])

/** Builds the sighting of a DNS record. An address decides between A and AAAA, because tools mix them. */
export const dnsRecordSighting = (seen: {
  name: string
  type: string
  value: string
  ttl?: number | undefined
}): Sighting => {
  const type = seen.type.trim().toUpperCase()
  const name = requireHost(seen.name, 'name')
  const host = canonicalHost(seen.value)
  if (ADDRESS_TYPES.has(type) && (host === undefined || canonicalName(host) !== undefined))
    throw new InvalidSighting(`the value of ${type} is not an IP address`)
  if (NAME_TYPES.has(type) && host === undefined) throw new InvalidSighting(`the value of ${type} is not a name`)
  const value =
    host !== undefined && (ADDRESS_TYPES.has(type) || NAME_TYPES.has(type))
      ? host
      : cleanLine(seen.value, MAX_VALUE_LENGTH + 1)
  if (value === undefined) throw new InvalidSighting('value is empty')
  const actual = ADDRESS_TYPES.has(type) ? (value.includes(':') ? 'AAAA' : 'A') : type
  return sighting({
    kind: 'dns_record',
    tuple: [name, actual, value],
    asset: name,
    host: name,
    title: `${actual} ${value}`,
    data: { name, type: actual, value, ttl: seen.ttl },
  })
}
