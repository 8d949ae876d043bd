import { canonicalAddress, canonicalHost, canonicalName, canonicalUrl } from '../inventory/sightings/canonical.ts'
import { cleanNumber } from '../inventory/sightings/clean.ts'
import { dnsRecordSighting, type Sighting, serviceSighting, InvalidSighting } from '../inventory/sightings/sightings.ts'
import { httpResponseSighting, originOf, technologySighting } from '../inventory/sightings/web-sightings.ts'
import { certificateItems } from './fields/certificates.ts'
import { headersOf } from './fields/headers.ts'
import { HTTPX_FIELDS, isRowOfHttpx } from './fields/httpx-fields.ts'
import { probeIn } from './fields/probes.ts'
import { ROW_TIMES } from './fields/stated-times.ts'
import { columnsIn, csvRecordItems } from './readers/csv-records.ts'
import { cdnIn, type Fields, itemsOf, listOf, objectOf, recordItems, textIn, wordsIn } from './readers/records.ts'
import type { Format, Item } from './registry/format.ts'

/** JSON rows of httpx, with keys of old and new versions. A failed row counts as a probe, not as a response. */
export const httpx: Format = {
  id: 'httpx',
  name: 'httpx JSON lines and CSV',
  recognisedBy: 'rows with url, and status_code, status-code or failed, and few fields of other tools; also as CSV',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [ROW_TIMES] }),
  isIn: (head) =>
    (head.shape === 'json' && isRowOfHttpx(head.keys)) ||
    (head.shape === 'text' && head.line.includes(',') && isRowOfHttpx(columnsIn(head.line))),
  read: (text, head) =>
    head.shape === 'text'
      ? csvRecordItems(text, rowItems, { time: 'timestamp', known: HTTPX_FIELDS })
      : recordItems(text, rowItems, HTTPX_FIELDS),
}

function* rowItems(row: Fields): Generator<Sighting | Item> {
  const url = canonicalUrl(textIn(row['url']) ?? '')
  if (!url && row['failed'] === true) return
  if (!url) throw new InvalidSighting('url is not an http or https URL')
  const host = canonicalHost(url.hostname) as string
  const askedName = canonicalName(host)
  const address = [row['host_ip'], row['host'], host]
    .map((value) => canonicalAddress(textIn(value) ?? ''))
    .find((found) => found !== undefined)
  const port = portOf(url)
  if (row['failed'] === true) {
    yield* probeIn(row, { host, address, port })
    return
  }
  const last = canonicalUrl(textIn(row['final_url'] ?? row['final-url']) ?? '') ?? url
  yield* redirects(row, url, last, address)
  // The row's response fields describe the last response.
  const lastHost = canonicalHost(last.hostname) as string
  const lastAddress = lastHost === host ? address : canonicalAddress(lastHost)
  const lastPort = portOf(last)
  yield httpResponseSighting({
    method: row['method'],
    url: last.href,
    address: lastAddress,
    status: cleanNumber(row['status_code'] ?? row['status-code']),
    title: row['title'],
    length: cleanNumber(row['content_length'] ?? row['content-length']),
    contentType: row['content_type'] ?? row['content-type'],
    server: row['webserver'],
    location: row['location'],
    headers: headersOf(Object.entries(objectOf(row['header']))),
    faviconHash: row['favicon'] ?? row['favicon-mmh3'],
    bodySha256: objectOf(row['hash'])['body_sha256'] ?? objectOf(row['hashes'])['body-sha256'] ?? row['body-sha256'],
    request: row['request'],
    response: row['response'] ?? responseIn(row),
    screenshot: row['screenshot_path_rel'] ?? row['screenshot_path'],
    more: factsIn(row),
  })
  yield serviceSighting({
    host: address ?? host,
    askedName,
    protocol: 'tcp',
    port,
    name: url.protocol.slice(0, -1),
    isNameGuessed: true,
    cdn: cdnIn(row),
  })
  if (last.origin !== url.origin) {
    const service = { host: lastAddress ?? lastHost, askedName: canonicalName(lastHost), port: lastPort }
    yield serviceSighting({ ...service, protocol: 'tcp', name: last.protocol.slice(0, -1), isNameGuessed: true })
    yield* probeIn(row, { host: lastHost, address: lastAddress, port: lastPort })
  }
  for (const technology of [...listOf(row['tech']), ...listOf(row['technologies'])]) {
    const { name, version } = nameAndVersion(textIn(technology) ?? '')
    yield* itemsOf('', row, () => [
      technologySighting({
        asset: originOf(last),
        host: lastHost,
        address: lastAddress,
        port: lastPort,
        name,
        version,
      }),
    ])
  }
  yield* dnsItems(row, askedName)
  const csp = objectOf(row['csp'])
  for (const name of [
    ...listOf(csp['domains']),
    ...listOf(csp['fqdn']),
    ...listOf(row['body_fqdn']),
    ...listOf(row['body_domains']),
  ]) {
    const mentioned = canonicalHost(textIn(name) ?? '')
    if (mentioned !== undefined) yield { type: 'mention', host: mentioned }
  }
  if (row['tls'] !== undefined || row['tls-grab'] !== undefined)
    yield* certificateItems({
      ip: lastAddress,
      host: lastHost,
      port: lastPort,
      ...objectOf(row['tls'] ?? row['tls-grab']),
    })
}

/** Options include the head of the response, its body, or both. */
const responseIn = (row: Fields): string | undefined =>
  [textIn(row['raw_header']), textIn(row['body'] ?? row['response-body'])].filter(Boolean).join('\r\n\r\n') || undefined

/** What httpx knows of a response in addition to the response itself. */
const factsIn = (row: Fields) => {
  const asn = objectOf(row['asn'])
  const plugins = listOf(objectOf(row['wordpress'])['plugins'] ?? row['wordpress_plugins']).map(
    (plugin) => textIn(plugin) ?? textIn(objectOf(plugin)['slug']),
  )
  return {
    cpe: listOf(row['cpe']).map((cpe) => textIn(cpe) ?? textIn(objectOf(cpe)['cpe'])),
    wordpressPlugins: plugins,
    wordpressThemes: listOf(objectOf(row['wordpress'])['themes']),
    asn: [
      textIn(asn['as_number'] ?? asn['as-number']),
      textIn(asn['as_name'] ?? asn['as-name']),
      textIn(asn['as_country'] ?? asn['as-country']),
    ]
      .filter(Boolean)
      .join(' '),
    jarm: row['jarm_hash'] ?? row['jarm-hash'] ?? row['jarm'],
    cdn: [cdnIn(row), textIn(row['cdn_type'])].filter(Boolean).join(', '),
    vhost: row['vhost'] === true || undefined,
    serverName: row['sni'],
    websocket: row['websocket'] === true || undefined,
    http2: row['http2'] === true || undefined,
    namesInCsp: [...listOf(objectOf(row['csp'])['domains']), ...listOf(objectOf(row['csp'])['fqdn'])],
    namesInBody: [...listOf(row['body_fqdn']), ...listOf(row['body_domains'])],
    words: cleanNumber(row['words']),
    lines: cleanNumber(row['lines']),
    faviconMd5: row['favicon_md5'],
    faviconUrl: row['favicon_url'] ?? row['favicon_path'],
    chain: wordsIn(row['chain_status_codes'] ?? row['chain-status-codes']),
    extracted: Object.entries(objectOf(row['extracts'])).map(
      ([name, found]) => `${name}: ${wordsIn(found).join(', ')}`,
    ),
  }
}

const portOf = (url: URL): number => (url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port))

/**
 * Yields the redirects before the last response (`-follow-redirects`), each with its address, status and location.
 * Without a chain in the row, only the first one is known, from the list of statuses.
 */
function* redirects(row: Fields, first: URL, last: URL, address: string | undefined): Generator<Sighting> {
  const chain = listOf(row['chain']).map(objectOf)
  const steps = chain.flatMap((step, index) => {
    const url = index === 0 ? first : canonicalUrl(textIn(step['request-url'] ?? step['request_url']) ?? '')
    return url
      ? [
          {
            url,
            status: cleanNumber(step['status_code'] ?? step['status-code']),
            location: step['location'],
            request: step['request'],
            response: step['response'],
          },
        ]
      : []
  })
  const [status] = listOf(row['chain_status_codes'] ?? row['chain-status-codes']).map(cleanNumber)
  const all =
    steps.length === 0 && last.href !== first.href
      ? [{ url: first, status, location: undefined, request: undefined, response: undefined }]
      : steps
  for (const { url, status: answered, ...step } of all) {
    if (url.href === last.href) continue
    const isOfFirst = url.hostname === first.hostname
    yield httpResponseSighting({
      method: row['method'],
      url: url.href,
      address: isOfFirst ? address : undefined,
      status: answered,
      ...step,
      finalUrl: last.href,
    })
  }
}

/** `Nginx:1.25`: the text after the last colon is the version. */
const nameAndVersion = (technology: string): { name: string; version: string | undefined } => {
  const colon = technology.lastIndexOf(':')
  return colon <= 0
    ? { name: technology, version: undefined }
    : { name: technology.slice(0, colon), version: technology.slice(colon + 1) }
}

/** `a` also holds IPv6 addresses and sometimes invalid values, which are skipped. */
function* dnsItems(row: Fields, name: string | undefined): Generator<Sighting> {
  if (name === undefined) return
  const addresses = [...listOf(row['a']), ...listOf(row['aaaa'])].map((value) => canonicalAddress(textIn(value) ?? ''))
  for (const value of new Set(addresses)) if (value !== undefined) yield dnsRecordSighting({ name, type: 'A', value })
  const aliases = [row['cname'], row['cnames']]
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .map((value) => canonicalName(textIn(value) ?? ''))
  for (const value of new Set(aliases)) if (value !== undefined) yield dnsRecordSighting({ name, type: 'CNAME', value })
}
