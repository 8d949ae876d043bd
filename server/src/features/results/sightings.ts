import { canonicalHost, canonicalName, canonicalUrl, hostAndPort, MAX_VALUE_LENGTH, type Protocol } from './canonical.ts'
import { cleanLine, cleanLines, cleanText, withoutBlanks } from './clean.ts'
import { identityOf, orderKey } from './order-keys.ts'
import type { Severity } from './severities.ts'

export const KINDS = ['host', 'dns_record', 'service', 'http_response', 'tls_certificate', 'web_path', 'technology', 'vulnerability', 'component'] as const
export type Kind = (typeof KINDS)[number]

export type Judgement = 'accepted' | 'false_positive'

/** Something that a tool saw: the same in every tool's words. */
export interface Sighting {
  kind: Kind
  /** SHA-256 of what makes it the same thing as another sighting within an engagement. */
  identity: string
  /** One line: `10.0.0.5:443/tcp`. */
  asset: string
  assetKey: string
  /** Canonical address or name; null where it is about none. */
  host: string | null
  /** The name by which the address was asked. */
  askedName: string | null
  /** Where it is about a name: the address that was asked by it, if the source says so. */
  address: string | null
  /** Where it is at a URL of http or https: scope rules look at its path. */
  url: string | null
  protocol: string | null
  port: number | null
  title: string
  severity: Severity | null
  /** What somebody decided of it in the tool, without end. */
  judgement: Judgement | null
  /** The tool has checked it and found it in order: a result that is known is fixed, and none is made. */
  passed: boolean
  /** Identities by which an older version knew it, the nearest first. */
  aliases: readonly string[]
  data: Record<string, unknown>
  /** Fields that are guesses: they fill what is blank and never replace what is known. */
  guesses: readonly string[]
  /** Lists of which the source sees a part: they add to what is known and never replace it. */
  parts: readonly string[]
}

/** Why something that a tool wrote cannot be a result. */
export class Unusable extends Error {}

/** @throws Unusable */
export const requireHost = (written: unknown, what = 'host'): string => {
  const host = typeof written === 'string' ? canonicalHost(written) : undefined
  if (host === undefined) throw new Unusable(`${what} is neither an address nor a name`)
  return host
}

/** @throws Unusable */
export const requireUrl = (written: unknown, what = 'url'): URL => {
  const url = typeof written === 'string' ? canonicalUrl(written) : undefined
  if (!url) throw new Unusable(`${what} is no address of http or https`)
  return url
}

const requireShort = (value: string, what: string): string => {
  if (value.length > MAX_VALUE_LENGTH) throw new Unusable(`${what} has more than ${MAX_VALUE_LENGTH} characters`)
  return value
}

interface Made {
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
  judgement?: Judgement | null
  passed?: boolean
  /** Tuples of which identities were made before. */
  formerly?: readonly (readonly (string | number | null)[])[]
  data: Record<string, unknown>
  guesses?: readonly string[]
  parts?: readonly string[]
}

/** @throws Unusable for values that are too long */
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
  judgement = null,
  passed = false,
  formerly = [],
  data,
  guesses = [],
  parts = [],
}: Made): Sighting => {
  const line = requireShort(cleanLine(asset, MAX_VALUE_LENGTH + 1) ?? '', 'asset')
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
    judgement,
    passed,
    aliases: formerly.map((former) => identityOfTuple(kind, former)),
    data: withoutBlanks(data),
    guesses,
    parts,
  }
}

const identityOfTuple = (kind: Kind, tuple: Made['tuple']): string =>
  identityOf([kind, ...tuple.map((part) => (typeof part === 'string' ? requireShort(part, 'value').replaceAll('\u0000', '').toWellFormed() : part))])

export interface HostSeen {
  host: string
  askedName?: string | undefined
  up?: boolean
  hostnames?: readonly string[]
  os?: unknown
  mac?: unknown
  vendor?: unknown
}

export const hostSighting = ({ host: written, askedName, up, hostnames = [], os, mac, vendor }: HostSeen): Sighting => {
  const host = requireHost(written)
  const names = [...new Set(hostnames.map((name) => canonicalName(name)).filter((name) => name !== undefined && name !== host))]
  return sighting({
    kind: 'host',
    tuple: [host],
    asset: host,
    host,
    askedName,
    title: host,
    data: { up, hostnames: names, os: cleanLine(os), mac: cleanLine(mac)?.toLowerCase(), vendor: cleanLine(vendor) },
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
  /** The name only follows from the port, or from a banner. */
  isNameGuessed?: boolean
  /** Whose network for delivering content answers there: the port is that network's. */
  cdn?: string | undefined
}

/** An open port. TLS below HTTP is HTTPS, however the tool says it. */
export const serviceSighting = ({ host: written, askedName, protocol, port, isNameGuessed = false, cdn, ...seen }: ServiceSeen): Sighting => {
  const host = requireHost(written)
  const tunnel = cleanLine(seen.tunnel)
  const said = cleanLine(seen.name)
  const name = said === 'http' && (tunnel === 'ssl' || tunnel === 'tls') ? 'https' : said
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
    guesses: [...(isNameGuessed ? ['name'] : []), ...(extraInfo === undefined && cdn !== undefined ? ['extraInfo'] : [])],
    data: {
      address: host,
      protocol,
      port,
      state: 'open',
      name,
      product,
      version,
      extraInfo: extraInfo ?? cleanLine(cdn && `CDN: ${cdn}`),
      cpe: cleanLines(seen.cpe),
      tunnel,
      banner: cleanText(seen.banner, 4_096),
      scripts: scriptsOf(seen.scripts),
    },
  })
}

/** What a title is made of, in the data of a service. */
interface NamedService {
  protocol: string
  port: number
  name?: string | null
  product?: string | null
  version?: string | null
}

/** `https (nginx 1.25.3)`: made from what is known, whichever tool said which part. */
export const serviceTitle = (data: Record<string, unknown>): string => {
  const { protocol, port, name, product, version } = data as unknown as NamedService
  const program = [product, version].filter(Boolean).join(' ')
  return [name ?? `${protocol}/${port}`, program && `(${program})`].filter(Boolean).join(' ')
}

const scriptsOf = (scripts: Record<string, string> = {}): Record<string, string> | undefined => {
  const entries = Object.entries(scripts)
    .slice(0, 100)
    .map(([id, output]) => [cleanLine(id), cleanText(output)] as const)
  const kept = entries.filter(([id, output]) => id !== undefined && output !== undefined)
  return kept.length > 0 ? (Object.fromEntries(kept) as Record<string, string>) : undefined
}

const ADDRESS_TYPES = new Set(['A', 'AAAA'])
const NAME_TYPES = new Set(['CNAME', 'NS', 'PTR', 'MX'])

/** The value of an address record decides its type: tools mix A and AAAA. */
export const dnsRecordSighting = (seen: { name: string; type: string; value: string; ttl?: number | undefined }): Sighting => {
  const type = seen.type.trim().toUpperCase()
  const name = requireHost(seen.name, 'name')
  const host = canonicalHost(seen.value)
  if (ADDRESS_TYPES.has(type) && (host === undefined || canonicalName(host) !== undefined)) throw new Unusable(`the value of ${type} is no address`)
  if (NAME_TYPES.has(type) && host === undefined) throw new Unusable(`the value of ${type} is no name`)
  const value = host !== undefined && (ADDRESS_TYPES.has(type) || NAME_TYPES.has(type)) ? host : cleanLine(seen.value, MAX_VALUE_LENGTH + 1)
  if (value === undefined) throw new Unusable('value is empty')
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
