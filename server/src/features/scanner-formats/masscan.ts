import { canonicalAddress, canonicalPort, canonicalProtocol } from '../inventory/sightings/canonical.ts'
import { hostSighting, type Sighting, serviceSighting, InvalidSighting } from '../inventory/sightings/sightings.ts'
import { textLines } from './readers/lines.ts'
import { type Fields, itemsOf, listOf, objectOf, recordItems, withProbe } from './readers/records.ts'
import { childOf, childrenOf, type Element, readXml } from './readers/xml.ts'
import type { Format, Head, Item } from './registry/format.ts'

const LIST_LINE = /^(?:open|closed|banner) (?:tcp|udp|sctp|icmp) \d{1,5} \S{1,50} \d{1,12}/

/** Lists, JSON (-oJ), flat rows (-oD) and XML of masscan. Its files give no coverage. */
export const masscan: Format = {
  id: 'masscan',
  name: 'masscan JSON, NDJSON, list and XML (-oJ, -oD, -oL, -oX)',
  recognisedBy:
    'rows with ip and ports or rec_type, and nothing else; lines such as "open tcp 80 192.0.2.1 1795336755"; XML whose root is nmaprun, written by masscan',
  knowsCoverage: false,
  statedTimes: () => ({
    attributes: ['start'],
    patterns: [
      /"timestamp"\s{0,5}:\s{0,5}"?(\d{9,13})\b/g,
      / endtime="(\d{9,13})"/g,
      /^(?:open|closed|banner) \w{1,8} \d{1,5} \S{1,50} (\d{9,12})\b/gm,
    ],
  }),
  isIn: (head) =>
    (head.shape === 'json' && isRowOfMasscan(head.keys)) ||
    (head.shape === 'xml' && head.root === 'nmaprun' && head.attributes['scanner'] === 'masscan') ||
    (head.shape === 'text' && (head.line === '#masscan' || LIST_LINE.test(head.line))),
  read: (text: AsyncIterable<string>, head: Head): AsyncIterable<Item> =>
    withDiscoveredHosts(
      head.shape === 'xml'
        ? readMasscanXml(text)
        : head.shape === 'text'
          ? readList(text)
          : recordItems(text, rowSightings, FIELDS),
    ),
}

/** Hosts that answered a discovery run come last, and only those without a service in the same file. */
async function* withDiscoveredHosts(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const hosts = new Map<string, Item>()
  const withService = new Set<string>()
  for await (const item of items) {
    const seen = item.type === 'sighting' ? item.sighting : undefined
    const host = seen?.host ?? undefined
    if (host !== undefined && seen?.kind === 'host') hosts.set(host, item)
    else {
      if (host !== undefined) withService.add(host)
      yield item
    }
  }
  for (const [host, item] of hosts) if (!withService.has(host)) yield item
}

const FIELDS = new Set(['ip', 'timestamp', 'ports', 'port', 'proto', 'rec_type', 'data', 'finished', 'mac'])

/** Search engines and other scanners also write addresses with ports; masscan writes no other fields. */
const isRowOfMasscan = (keys: ReadonlySet<string>): boolean =>
  keys.has('ip') &&
  (keys.has('ports') || keys.has('rec_type')) &&
  [...keys].every((key) => key.includes('.') || FIELDS.has(key))

interface Seen {
  address: unknown
  protocol: unknown
  port: unknown
  status?: unknown
  service?: unknown
  banner?: unknown
  mac?: unknown
  reason?: unknown
}

/** Answers of discovery runs (`--ping`, `--arp`), which have no port. */
const OF_DISCOVERY = new Set(['icmp', 'arp'])

/** An ICMP or ARP reply is of a live host, not of a service; a closed port is not a service. */
function* portSightings({
  address: written,
  protocol: word,
  port: number,
  status,
  service,
  banner,
  mac,
  reason,
}: Seen): Generator<Sighting> {
  const address = typeof written === 'string' ? canonicalAddress(written) : undefined
  if (address === undefined) throw new InvalidSighting('ip is not an IP address')
  if (typeof word === 'string' && OF_DISCOVERY.has(word.toLowerCase())) {
    yield hostSighting({ host: address, up: true, mac, reason: reason === 'none' ? undefined : reason })
    return
  }
  const protocol = canonicalProtocol(typeof word === 'string' ? word : undefined)
  if (protocol === undefined || (status !== undefined && status !== 'open')) return
  const port = canonicalPort(number)
  if (port === undefined) throw new InvalidSighting('port must be from 1 to 65535')
  yield serviceSighting({ host: address, protocol, port, isNameGuessed: true, ...bannerOf(service, banner) })
}

/** Kinds of banners that reveal more than the service's name, with the name that they imply. */
const SERVICE_OF_BANNER = new Map(
  Object.entries({
    'http.server': 'http',
    title: 'http',
    html: 'http',
    'dns-ver': 'domain',
    X509: 'ssl',
    'ssl/tls': 'ssl',
  }),
)

const bannerOf = (service: unknown, banner: unknown): { name?: string; banner?: string } => {
  if (typeof service !== 'string' || typeof banner !== 'string') return {}
  const name = SERVICE_OF_BANNER.get(service) ?? (service === 'unknown' ? undefined : service)
  return { banner: `${service}: ${asText(banner)}`, ...(name !== undefined && { name }) }
}

function* rowSightings(row: Fields): Generator<Sighting> {
  if (row['finished'] !== undefined && row['ip'] === undefined) return
  if (row['rec_type'] !== undefined) {
    const data = objectOf(row['data'])
    yield* portSightings({
      address: row['ip'],
      protocol: row['proto'],
      port: row['port'],
      ...(row['rec_type'] === 'banner'
        ? { service: data['service_name'], banner: data['banner'] }
        : { status: data['status'], reason: data['reason'] }),
      mac: data['mac'] ?? row['mac'],
    })
    return
  }
  for (const port of listOf(row['ports']).map(objectOf)) {
    const service = objectOf(port['service'])
    yield* portSightings({
      address: row['ip'],
      protocol: port['proto'],
      port: port['port'],
      status: port['status'],
      reason: port['reason'],
      mac: port['mac'] ?? row['mac'],
      service: service['name'],
      banner: service['banner'],
    })
  }
}

async function* readList(text: AsyncIterable<string>): AsyncGenerator<Item> {
  for await (const { line, number } of textLines(text)) {
    if (line.startsWith('#')) continue
    yield* withProbe(itemsOf(`line ${number}`, line, lineSightings), line.split(' ')[4])
  }
}

/** For example `open tcp 80 192.0.2.1 1795336755` or `banner tcp 80 192.0.2.1 1795336755 http.server nginx`. */
function* lineSightings(line: string): Generator<Sighting> {
  const [what, protocol, port, address, time, service, ...rest] = line.split(' ')
  if (time === undefined || !['open', 'closed', 'banner'].includes(what as string))
    throw new InvalidSighting('is not a line of a masscan list')
  if (what === 'banner') yield* portSightings({ address, protocol, port, service, banner: unescaped(rest.join(' ')) })
  else yield* portSightings({ address, protocol, port, status: what })
}

/** Non-ASCII bytes are written as `\xe9`. */
const unescaped = (text: string): string =>
  text.replace(/\\x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Lists and rows have one character per byte of a banner: decoded as UTF-8, or kept as Latin-1 if that is invalid. */
const asText = (bytes: string): string => {
  if (!/^[\u0000-\u00ff]*$/.test(bytes)) return bytes
  const text = Buffer.from(bytes, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? bytes : text
}

async function* readMasscanXml(text: AsyncIterable<string>): AsyncGenerator<Item> {
  for await (const event of readXml(text, (path) => path === 'nmaprun/host')) {
    if (event.type === 'error') yield { type: 'cut', reason: event.reason }
    else if (event.type === 'open' && event.path === 'nmaprun')
      yield { type: 'tool', version: event.element.attributes['version'] ?? '' }
    else if (event.type === 'element')
      yield* withProbe(
        itemsOf(`line ${event.element.line}`, event.element, hostSightings),
        event.element.attributes['endtime'],
      )
  }
}

function* hostSightings(host: Element): Generator<Sighting> {
  const addresses = childrenOf(host, 'address')
  const address = addresses.find(({ attributes }) => attributes['addrtype'] !== 'mac')?.attributes['addr']
  const mac = addresses.find(({ attributes }) => attributes['addrtype'] === 'mac')?.attributes['addr']
  for (const port of childrenOf(childOf(host, 'ports'), 'port')) {
    const service = childOf(port, 'service')?.attributes
    yield* portSightings({
      address,
      protocol: port.attributes['protocol'],
      port: port.attributes['portid'],
      status: childOf(port, 'state')?.attributes['state'],
      reason: childOf(port, 'state')?.attributes['reason'],
      mac,
      service: service?.['name'],
      banner: service?.['banner'],
    })
  }
}
