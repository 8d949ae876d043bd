import { canonicalHost, canonicalName, canonicalUrl, hostAndPort, MAX_VALUE_LENGTH, type Protocol } from './canonical.ts'
import { cleanLine, cleanLines, cleanText, withoutBlanks } from './clean.ts'
import { identityOf, orderKey } from './order-keys.ts'
import type { Severity } from './severities.ts'

export const KINDS = ['host', 'dns_record', 'service', 'http_response', 'tls_certificate', 'web_path', 'technology', 'vulnerability', 'component'] as const
export type Kind = (typeof KINDS)[number]

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
  protocol: string | null
  port: number | null
  title: string
  severity: Severity | null
  /** Somebody accepted it in the tool, without end. */
  isAccepted: boolean
  data: Record<string, unknown>
  /** Fields that are guesses: they fill what is blank and never replace what is known. */
  guesses: readonly string[]
}

/** Why something that a tool wrote cannot be a result. */
export class Unusable extends Error {}

export const requireHost = (written: unknown, what = 'host'): string => {
  const host = typeof written === 'string' ? canonicalHost(written) : undefined
  if (host === undefined) throw new Unusable(`${what} is neither an address nor a name`)
  return host
}

const requireUrl = (written: unknown, what = 'url'): URL => {
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
  protocol?: string
  port?: number | null
  title: string | undefined
  severity?: Severity | null
  isAccepted?: boolean
  data: Record<string, unknown>
  guesses?: readonly string[]
}

const sighting = ({
  kind,
  tuple,
  asset,
  host = null,
  askedName,
  protocol,
  port = null,
  title,
  severity = null,
  isAccepted = false,
  data,
  guesses = [],
}: Made): Sighting => {
  const line = requireShort(cleanLine(asset, MAX_VALUE_LENGTH + 1) ?? '', 'asset')
  return {
    kind,
    identity: identityOf([
      kind,
      ...tuple.map((part) => (typeof part === 'string' ? requireShort(part, 'value').replaceAll('\u0000', '').toWellFormed() : part)),
    ]),
    asset: line,
    assetKey: orderKey({ asset: line, host, port, ...(protocol !== undefined && { protocol }) }),
    host,
    askedName: (askedName !== undefined && askedName !== host && canonicalName(askedName)) || null,
    protocol: protocol ?? null,
    port,
    title: cleanLine(title) ?? line,
    severity,
    isAccepted,
    data: withoutBlanks(data),
    guesses,
  }
}

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
}

/** An open port. TLS below HTTP is HTTPS, however the tool says it. */
export const serviceSighting = ({ host: written, askedName, protocol, port, isNameGuessed = false, ...seen }: ServiceSeen): Sighting => {
  const host = requireHost(written)
  const tunnel = cleanLine(seen.tunnel)
  const said = cleanLine(seen.name)
  const name = said === 'http' && (tunnel === 'ssl' || tunnel === 'tls') ? 'https' : said
  const [product, version] = [cleanLine(seen.product), cleanLine(seen.version)]
  return sighting({
    kind: 'service',
    tuple: [host, protocol, port],
    asset: `${hostAndPort(host, port)}/${protocol}`,
    host,
    askedName,
    protocol,
    port,
    title: serviceTitle({ protocol, port, name, product, version }),
    guesses: isNameGuessed ? ['name'] : [],
    data: {
      address: host,
      protocol,
      port,
      state: 'open',
      name,
      product,
      version,
      extraInfo: cleanLine(seen.extraInfo),
      cpe: cleanLines(seen.cpe),
      tunnel,
      banner: cleanText(seen.banner, 4_096),
      scripts: scriptsOf(seen.scripts),
    },
  })
}

/** `https (nginx 1.25.3)`: made from what is known, whichever tool said which part. */
export const serviceTitle = ({ protocol, port, name, product, version }: Record<string, unknown>): string => {
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

export interface HttpResponseSeen {
  method?: unknown
  url: unknown
  address?: string | undefined
  status?: number | undefined
  title?: unknown
  length?: number | undefined
  contentType?: unknown
  server?: unknown
  location?: unknown
  headers?: Record<string, string> | undefined
  faviconHash?: unknown
  bodySha256?: unknown
}

export const httpResponseSighting = (seen: HttpResponseSeen): Sighting => {
  const url = requireUrl(seen.url)
  const method = (cleanLine(seen.method, 32) ?? 'GET').toUpperCase()
  const title = cleanLine(seen.title)
  return sighting({
    kind: 'http_response',
    tuple: [method, url.href],
    asset: url.href,
    host: canonicalHost(url.hostname) as string,
    port: portOf(url),
    title: [seen.status, title ?? url.href].filter(Boolean).join(' '),
    data: {
      method,
      url: url.href,
      status: seen.status,
      title,
      length: seen.length,
      contentType: cleanLine(seen.contentType),
      server: cleanLine(seen.server),
      location: cleanLine(seen.location, 4_096),
      headers: seen.headers,
      faviconHash: cleanLine(seen.faviconHash),
      bodySha256: cleanLine(seen.bodySha256),
    },
  })
}

const portOf = (url: URL): number => (url.port !== '' ? Number(url.port) : url.protocol === 'https:' ? 443 : 80)

export interface CertificateSeen {
  host: string
  askedName?: string | undefined
  port: number
  serverName?: string | undefined
  sha256?: unknown
  subject?: unknown
  issuer?: unknown
  names?: unknown
  notBefore?: string | undefined
  notAfter?: string | undefined
  serial?: unknown
  selfSigned?: boolean | undefined
  mismatched?: boolean | undefined
  versions?: unknown
  cipher?: unknown
}

/** @throws Unusable without a fingerprint, and without issuer and serial number as well */
export const certificateSighting = (seen: CertificateSeen): Sighting => {
  const host = requireHost(seen.host)
  const sha256 = cleanLine(seen.sha256)?.toLowerCase().replaceAll(':', '')
  const [issuer, serial] = [cleanLine(seen.issuer), cleanLine(seen.serial)]
  if (sha256 === undefined && (issuer === undefined || serial === undefined)) throw new Unusable('the certificate has neither fingerprint nor serial number')
  const serverName = (seen.serverName !== undefined && canonicalName(seen.serverName)) || null
  const names = cleanLines(seen.names).map((name) => name.toLowerCase())
  const subject = cleanLine(seen.subject)
  return sighting({
    kind: 'tls_certificate',
    tuple: [host, seen.port, serverName, ...(sha256 === undefined ? [issuer as string, serial as string] : [sha256])],
    asset: `${hostAndPort(host, seen.port)}/tcp`,
    host,
    askedName: seen.askedName,
    protocol: 'tcp',
    port: seen.port,
    title: subject ?? names[0],
    data: {
      host,
      port: seen.port,
      serverName,
      sha256,
      subject,
      issuer,
      names: [...new Set(names)],
      notBefore: seen.notBefore,
      notAfter: seen.notAfter,
      serial,
      selfSigned: seen.selfSigned,
      mismatched: seen.mismatched,
      versions: cleanLines(seen.versions),
      cipher: cleanLine(seen.cipher),
    },
  })
}

export const webPathSighting = (seen: { url: unknown; method?: unknown; status?: number | undefined; length?: number | undefined }): Sighting => {
  const url = requireUrl(seen.url)
  const method = cleanLine(seen.method, 32)?.toUpperCase()
  return sighting({
    kind: 'web_path',
    tuple: [url.href],
    asset: url.href,
    host: canonicalHost(url.hostname) as string,
    port: portOf(url),
    title: url.pathname,
    data: { url: url.href, method, status: seen.status, length: seen.length },
  })
}

/** @param asset where it runs: an origin, or `host:port/protocol` */
export const technologySighting = (seen: {
  asset: string
  host: string
  askedName?: string | undefined
  port?: number | undefined
  name: unknown
  version?: unknown
}): Sighting => {
  const name = cleanLine(seen.name)
  if (name === undefined) throw new Unusable('the technology has no name')
  const version = cleanLine(seen.version)
  return sighting({
    kind: 'technology',
    tuple: [seen.asset, name.toLowerCase()],
    asset: seen.asset,
    host: requireHost(seen.host),
    askedName: seen.askedName,
    port: seen.port ?? null,
    title: version === undefined ? name : `${name} ${version}`,
    data: { name, version },
  })
}

/** The origin of a URL, as an asset. */
export const originOf = (url: URL): string => url.origin

export interface VulnerabilitySeen {
  /** The format's name: rules of two tools may have the same id. */
  tool: string
  ruleId: unknown
  asset: string
  host?: string | undefined
  askedName?: string | undefined
  protocol?: string | undefined
  port?: number | undefined
  location?: unknown
  matcher?: unknown
  title?: unknown
  severity: Severity | null
  isAccepted?: boolean
  description?: unknown
  solution?: unknown
  references?: unknown
  cve?: unknown
  cwe?: unknown
  cvssVector?: unknown
  cvssScore?: number | undefined
  request?: unknown
  response?: unknown
  /** Each is kept: the same finding may show in several ways. */
  evidence?: readonly unknown[] | undefined
  confidence?: unknown
}

const CVE = /CVE-\d{4}-\d{4,19}/gi
const CWE_NUMBER = /^(?:CWE-)?(\d{1,6})\b/i
const MAX_EVIDENCE = 50

export const vulnerabilitySighting = (seen: VulnerabilitySeen): Sighting => {
  const ruleId = cleanLine(seen.ruleId) ?? cleanLine(seen.title)
  if (ruleId === undefined) throw new Unusable('the finding has neither rule nor title')
  const location = cleanLine(seen.location, MAX_VALUE_LENGTH + 1)
  const matcher = cleanLine(seen.matcher)
  const score = seen.cvssScore !== undefined && seen.cvssScore >= 0 && seen.cvssScore <= 10 ? seen.cvssScore : undefined
  return sighting({
    kind: 'vulnerability',
    tuple: [seen.tool, ruleId, seen.asset, location ?? null, matcher ?? null],
    asset: seen.asset,
    host: seen.host ?? null,
    askedName: seen.askedName,
    ...(seen.protocol !== undefined && { protocol: seen.protocol }),
    port: seen.port ?? null,
    title: cleanLine(seen.title) ?? ruleId,
    severity: seen.severity,
    isAccepted: seen.isAccepted ?? false,
    data: {
      ruleId,
      location,
      matcher,
      description: cleanText(seen.description),
      solution: cleanText(seen.solution),
      references: cleanLines(seen.references, /[\s,]+/),
      cve: cvesOf(seen.cve),
      cwe: cwesOf(seen.cwe),
      cvssVector: cleanLine(seen.cvssVector),
      cvssScore: score,
      request: cleanText(seen.request),
      response: cleanText(seen.response),
      evidence: [...new Set((seen.evidence ?? []).map((text) => cleanText(text, 4_096)).filter((text) => text !== undefined))]
        .toSorted()
        .slice(0, MAX_EVIDENCE),
      confidence: cleanLine(seen.confidence),
    },
  })
}

/** CVE numbers wherever they stand in a text or a list. */
const cvesOf = (value: unknown): string[] => {
  const found = cleanLines(value, /[\s,;]+/).flatMap((line) => line.match(CVE) ?? [])
  return [...new Set(found.map((cve) => cve.toUpperCase()))].slice(0, 500)
}

/** What is no CWE number is left out. */
const cwesOf = (value: unknown): string[] => {
  const entries = typeof value === 'number' ? [String(value)] : cleanLines(value, /[\s,;]+/)
  const numbers = entries.map((line) => CWE_NUMBER.exec(line)?.[1]).filter((number) => number !== undefined && Number(number) > 0)
  return [...new Set(numbers.map((number) => `CWE-${Number(number)}`))]
}

export const componentSighting = (seen: {
  purl?: unknown
  type?: unknown
  group?: unknown
  name: unknown
  version?: unknown
  licenses?: unknown
}): Sighting => {
  const [purl, type, group, name, version] = [seen.purl, seen.type, seen.group, seen.name, seen.version].map((value) => cleanLine(value, MAX_VALUE_LENGTH + 1))
  if (name === undefined) throw new Unusable('the component has no name')
  const full = group === undefined ? name : `${group}/${name}`
  return sighting({
    kind: 'component',
    tuple: purl === undefined ? ['named', type ?? null, group ?? null, name, version ?? null] : ['purl', purl],
    asset: purl ?? (version === undefined ? full : `${full}@${version}`),
    title: version === undefined ? full : `${full} ${version}`,
    data: { name: full, version, purl, licenses: cleanLines(seen.licenses, '\n') },
  })
}
