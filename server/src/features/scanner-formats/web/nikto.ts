import {
  canonicalAddress,
  canonicalHost,
  canonicalName,
  canonicalPort,
  canonicalUrl,
  hostAndPort,
} from '../../inventory/sightings/canonical.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { InvalidSighting, type Sighting, serviceSighting } from '../../inventory/sightings/sightings.ts'
import { type Fields, itemsOf, listOf, objectOf, recordItems, textIn } from '../readers/records.ts'
import { childrenOf, type Element, readXml, textOf } from '../readers/xml.ts'
import type { Format, Item } from '../registry/format.ts'

/** JSON and XML of Nikto. It rates nothing, so its findings have no severity. */
export const nikto: Format = {
  id: 'nikto',
  name: 'Nikto JSON and XML',
  recognisedBy: 'JSON with host, port, banner and vulnerabilities; XML whose root is niktoscan or niktoscans',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/ starttime="([^"]{1,40})"/g] }),
  isIn: (head) =>
    (head.shape === 'json' && ['host', 'port', 'banner', 'vulnerabilities'].every((key) => head.keys.has(key))) ||
    (head.shape === 'xml' && /^niktoscans?$/.test(head.root)),
  read: (text, head) => (head.shape === 'xml' ? readXmlReport(text) : recordItems(text, hostItems, FIELDS)),
}

/** Every field of a host. */
const FIELDS = new Set(['host', 'ip', 'port', 'banner', 'vulnerabilities'])

/** A scanned server. */
interface Server {
  name: string | undefined
  address: string | undefined
  port: unknown
  banner: string | undefined
  isTls: boolean | undefined
}

function* hostItems(row: Fields): Generator<Sighting | Item> {
  const server = serverOf(row)
  yield* serverItems(server)
  for (const finding of listOf(row['vulnerabilities']).map(objectOf))
    yield* itemsOf('', finding, (each) => findingItems(each, server))
}

const serverOf = (row: Fields): Server => ({
  name: textIn(row['host']),
  address: textIn(row['ip']),
  port: row['port'],
  banner: textIn(row['banner']),
  isTls: undefined,
})

async function* readXmlReport(text: AsyncIterable<string>): AsyncGenerator<Item> {
  for await (const event of readXml(text, (path) => path.endsWith('/scandetails'))) {
    if (event.type === 'error') yield { type: 'cut', reason: event.reason }
    else if (event.type === 'element') {
      const { attributes } = event.element
      const server: Server = {
        name: attributes['targethostname'],
        address: attributes['targetip'],
        port: attributes['targetport'],
        banner: attributes['targetbanner'],
        isTls: attributes['sitename']?.startsWith('https:'),
      }
      yield* itemsOf(`line ${event.element.line}`, event.element, () => serverItems(server))
      for (const item of childrenOf(event.element, 'item'))
        yield* itemsOf(`line ${item.line}`, fieldsOf(item), (finding) => findingItems(finding, server))
    } else if (event.element.attributes['version'] !== undefined)
      yield { type: 'tool', version: event.element.attributes['version'] }
  }
}

const fieldsOf = (item: Element): Fields => ({
  id: item.attributes['id'],
  method: item.attributes['method'],
  url: textOf(item, 'uri'),
  msg: textOf(item, 'description'),
  references: textOf(item, 'references'),
})

const placeOf = ({ name, address, port: written, isTls }: Server) => {
  const [asked, at] = [canonicalHost(name ?? ''), canonicalAddress(address ?? '')]
  const host = asked ?? at
  const port = canonicalPort(written)
  if (host === undefined || port === undefined)
    throw new InvalidSighting('the host has neither an address nor a name, or no port')
  const scheme = (isTls ?? (port === 443 || port === 8443)) ? 'https' : 'http'
  const url = canonicalUrl(`${scheme}://${hostAndPort(host, port)}`)
  if (!url) throw new InvalidSighting('the host is not one of a URL')
  return { host, askedName: canonicalName(host), address: at, port, protocol: 'tcp', origin: url.origin, scheme }
}

function* serverItems(server: Server): Generator<Sighting> {
  const { host, askedName, address, port, scheme } = placeOf(server)
  yield serviceSighting({
    host: address ?? host,
    askedName,
    protocol: 'tcp',
    port,
    name: scheme,
    isNameGuessed: true,
    banner: server.banner,
  })
}

function* findingItems(finding: Fields, server: Server): Generator<Sighting> {
  const { origin, scheme: _, ...place } = placeOf(server)
  const path = textIn(finding['url']) ?? '/'
  const message = textIn(finding['msg'])
  yield vulnerabilitySighting({
    tool: 'nikto',
    ruleId: finding['id'],
    ...place,
    asset: origin,
    location: origin + (path.startsWith('/') ? path : `/${path}`),
    matcher: finding['method'],
    title: message,
    severity: null,
    description: message,
    references: [textIn(finding['references']), textIn(finding['OSVDB']) && `OSVDB-${textIn(finding['OSVDB'])}`]
      .filter(Boolean)
      .join(' '),
    cve: textIn(finding['references']),
  })
}
