import { withoutVolatileHeaders } from '../merge/volatile-fields.ts'
import { canonicalHost, canonicalName, hostAndPort } from './canonical.ts'
import { distinguishedName, serialNumber, versionOfTls } from './certificate-facts.ts'
import { cleanFields, cleanLine, cleanLines, cleanText, type MoreFields } from './clean.ts'
import { Limited } from './left-out.ts'
import { requireHost, requireUrl, type Sighting, sighting, InvalidSighting } from './sightings.ts'

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
  /** Where redirects ended. */
  finalUrl?: unknown
  request?: unknown
  response?: unknown
  comment?: unknown
  /** Name of the picture's file. */
  screenshot?: unknown
  /** Further fields of the tool. */
  more?: MoreFields
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
    url: url.href,
    address: seen.address,
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
      headers: seen.headers && limitedHeaders(seen.headers),
      faviconHash: cleanLine(seen.faviconHash),
      bodySha256: cleanLine(seen.bodySha256),
      finalUrl: cleanLine(seen.finalUrl, 4_096),
      screenshot: cleanLine(seen.screenshot),
      comment: cleanText(seen.comment),
      request: cleanText(seen.request),
      response: cleanText(seen.response),
      ...cleanFields(seen.more),
    },
  })
}

/** Per response. */
export const MAX_HEADERS = 100

const limitedHeaders = (headers: Record<string, string>): Limited<Record<string, string>> => {
  const all = Object.entries(headers)
  return new Limited(
    withoutVolatileHeaders(Object.fromEntries(all.slice(0, MAX_HEADERS))),
    Math.max(0, all.length - MAX_HEADERS),
  )
}

const portOf = (url: URL): number => (url.port !== '' ? Number(url.port) : url.protocol === 'https:' ? 443 : 80)

export interface CertificateSeen {
  host: string
  askedName?: string | undefined
  address?: string | undefined
  port: number
  serverName?: string | undefined
  sha256?: unknown
  /** Only if the tool states neither SHA-256 nor serial number. */
  sha1?: unknown
  subject?: unknown
  issuer?: unknown
  names?: unknown
  notBefore?: string | undefined
  notAfter?: string | undefined
  serial?: unknown
  selfSigned?: boolean | undefined
  mismatched?: boolean | undefined
  /** Subjects of the certificates sent with it: the issuer first, the root last if it was sent. */
  chain?: readonly unknown[] | undefined
  versions?: unknown
  cipher?: unknown
  revoked?: boolean | undefined
  untrusted?: boolean | undefined
  /** True if the server asks for a certificate of the client. */
  clientCertificate?: boolean | undefined
  jarm?: unknown
  /** What the server accepts: `TLSv1.2: AES128-SHA (weak)`. */
  ciphers?: readonly string[]
  /** Lists that may be incomplete: `names` without addresses, `versions` of one connection. */
  parts?: readonly ('names' | 'versions')[]
}

const MAX_CHAIN = 20

/** @throws InvalidSighting without fingerprint and without issuer and serial number */
export const certificateSighting = (seen: CertificateSeen): Sighting => {
  const host = requireHost(seen.host)
  const sha256 = cleanLine(seen.sha256)?.toLowerCase().replaceAll(':', '')
  const [issuer, serial] = [cleanLine(seen.issuer), cleanLine(seen.serial)]
  const sha1 = cleanLine(seen.sha1)?.toLowerCase().replaceAll(':', '')
  if (sha256 === undefined && sha1 === undefined && (issuer === undefined || serial === undefined))
    throw new InvalidSighting('the certificate has neither fingerprint nor serial number')
  const serverName = (seen.serverName !== undefined && canonicalName(seen.serverName)) || null
  const written = cleanLines(seen.names)
  const names = [...new Set(written.list.map((name) => name.toLowerCase()))]
  const subject = distinguishedName(cleanLine(seen.subject))
  return sighting({
    kind: 'tls_certificate',
    tuple: [host, seen.port, serverName, ...certificateIdentity({ sha256, sha1, issuer, serial })],
    asset: `${hostAndPort(host, seen.port)}/tcp`,
    host,
    askedName: seen.askedName,
    address: seen.address,
    protocol: 'tcp',
    port: seen.port,
    title: subject ?? names[0],
    data: {
      host,
      port: seen.port,
      serverName,
      sha256,
      sha1,
      subject,
      issuer: distinguishedName(issuer),
      names: new Limited(names, written.leftOut),
      notBefore: seen.notBefore,
      notAfter: seen.notAfter,
      serial: serialNumber(serial),
      selfSigned: seen.selfSigned,
      mismatched: seen.mismatched,
      chain: cleanText(chainOf(seen)),
      versions: [...new Set(cleanLines(seen.versions).list.map(versionOfTls))],
      cipher: cleanLine(seen.cipher),
      revoked: seen.revoked,
      untrusted: seen.untrusted,
      clientCertificate: seen.clientCertificate,
      jarm: cleanLine(seen.jarm),
      ciphers: cleanLines(seen.ciphers ?? []),
    },
    parts: seen.parts ?? [],
  })
}

/** The best that the tool states. */
const certificateIdentity = ({
  sha256,
  sha1,
  issuer,
  serial,
}: Record<'sha256' | 'sha1' | 'issuer' | 'serial', string | undefined>): string[] => {
  if (sha256 !== undefined) return [sha256]
  return issuer !== undefined && serial !== undefined ? [issuer, serial] : ['sha1', sha1 as string]
}

const chainOf = ({ chain = [] }: CertificateSeen): string =>
  chain
    .slice(0, MAX_CHAIN)
    .map((subject) => distinguishedName(cleanLine(subject)) ?? '(no name)')
    .join('\n')

export interface WebPathSeen {
  url: unknown
  method?: unknown
  status?: number | undefined
  length?: number | undefined
  words?: number | undefined
  lines?: number | undefined
  contentType?: unknown
  /** The destination of a redirect. */
  location?: unknown
  /** The page that links to it. */
  source?: unknown
  /** What the tool says of it. */
  note?: unknown
}

export const webPathSighting = (seen: WebPathSeen): Sighting => {
  const url = requireUrl(seen.url)
  const method = cleanLine(seen.method, 32)?.toUpperCase()
  return sighting({
    kind: 'web_path',
    tuple: [url.href],
    asset: url.href,
    host: canonicalHost(url.hostname) as string,
    url: url.href,
    port: portOf(url),
    title: url.pathname,
    data: {
      url: url.href,
      method,
      status: seen.status,
      length: seen.length,
      words: seen.words,
      lines: seen.lines,
      contentType: cleanLine(seen.contentType),
      location: cleanLine(seen.location, 4_096),
      source: cleanLine(seen.source, 4_096),
      note: cleanLine(seen.note),
    },
  })
}

/** @param asset where it runs: an origin, or `host:port/protocol` */
export const technologySighting = (seen: {
  asset: string
  host: string
  askedName?: string | undefined
  address?: string | undefined
  port?: number | undefined
  name: unknown
  version?: unknown
}): Sighting => {
  const name = cleanLine(seen.name)
  if (name === undefined) throw new InvalidSighting('the technology has no name')
  const version = cleanLine(seen.version)
  return sighting({
    kind: 'technology',
    tuple: [seen.asset, name.toLowerCase()],
    asset: seen.asset,
    host: requireHost(seen.host),
    askedName: seen.askedName,
    address: seen.address,
    port: seen.port ?? null,
    title: version === undefined ? name : `${name} ${version}`,
    data: { name, version },
  })
}

/** Returns the origin of a URL, used as an asset. */
export const originOf = (url: URL): string => url.origin
