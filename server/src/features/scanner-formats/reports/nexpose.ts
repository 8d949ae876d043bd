import type { Severity } from '@sortie/contract/core/values.ts'
import { severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import { canonicalPort, canonicalProtocol, hostAndPort } from '../../inventory/sightings/canonical.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { hostSighting, requireHost, type Sighting, serviceSighting } from '../../inventory/sightings/sightings.ts'
import { PassedChecks } from '../fields/passed-checks.ts'
import { itemsOf, UnknownFields } from '../readers/records.ts'
import { childOf, childrenOf, type Element, fieldsIn, readXml } from '../readers/xml.ts'
import type { Format, Item, ReadOptions } from '../registry/format.ts'

/** XML Export 2.0 of Nexpose and InsightVM. */
export const nexpose: Format = {
  id: 'nexpose',
  name: 'Nexpose and InsightVM XML Export 2.0',
  recognisedBy: 'XML whose root is NexposeReport',
  knowsCoverage: false,
  statedTimes: () => ({}),
  isIn: (head) => head.shape === 'xml' && head.root === 'NexposeReport',
  read: (text, _, options) => readNexpose(text, options),
}

/** Lists of a node that are read. */
const READ = new Set(['names', 'fingerprints', 'tests', 'endpoints'])

/** Descriptions kept while the hosts are read. */
const MAX_DEFINITIONS = 20_000

/** The definitions come after the hosts, so the file is read twice. */
async function* readNexpose(text: AsyncIterable<string>, { again }: ReadOptions): AsyncGenerator<Item> {
  const definitions = new Map<string, Element>()
  for await (const event of readXml(
    again(),
    (path) => path === 'NexposeReport/VulnerabilityDefinitions/vulnerability',
  )) {
    if (event.type === 'element' && definitions.size < MAX_DEFINITIONS)
      definitions.set((event.element.attributes['id'] ?? '').toLowerCase(), event.element)
  }
  const passed = new PassedChecks()
  const unread = new UnknownFields(READ)
  for await (const event of readXml(text, (path) => path === 'NexposeReport/nodes/node')) {
    if (event.type === 'error') yield { type: 'cut', reason: event.reason }
    else if (event.type === 'element') {
      unread.count(fieldsIn(event.element))
      yield* passed.watch(itemsOf(`line ${event.element.line}`, event.element, (node) => nodeItems(node, definitions)))
    }
  }
  yield* passed.warnings()
  yield* unread.warnings()
}

interface ReportedHost {
  host: string
  protocol?: string
  port?: number
}

function* nodeItems(node: Element, definitions: ReadonlyMap<string, Element>): Generator<Sighting | Item> {
  const host = requireHost(node.attributes['address'], 'address')
  if (node.attributes['status'] !== 'alive' && node.attributes['status'] !== undefined) return
  const names = childrenOf(childOf(node, 'names'), 'name').map(({ text }) => text.trim())
  const [os] = childrenOf(childOf(node, 'fingerprints'), 'os').map(({ attributes }) =>
    [attributes['vendor'], attributes['product'], attributes['version']].filter(Boolean).join(' '),
  )
  yield hostSighting({ host, up: true, hostnames: names, os, mac: macOf(node.attributes['hardware-address']) })
  yield* testItems(node, { host }, definitions)
  for (const endpoint of childrenOf(childOf(node, 'endpoints'), 'endpoint'))
    yield* itemsOf(`line ${endpoint.line}`, endpoint, (each) => endpointItems(each, host, definitions))
}

const macOf = (digits: string | undefined): string | undefined => digits?.match(/[0-9A-F]{2}/gi)?.join(':')

function* endpointItems(
  endpoint: Element,
  host: string,
  definitions: ReadonlyMap<string, Element>,
): Generator<Sighting | Item> {
  const protocol = canonicalProtocol(endpoint.attributes['protocol'])
  const port = canonicalPort(endpoint.attributes['port'])
  if (protocol === undefined || port === undefined) return
  const services = childrenOf(childOf(endpoint, 'services'), 'service')
  if (endpoint.attributes['status'] === 'open') {
    const [program] = services.flatMap((service) => childrenOf(childOf(service, 'fingerprints'), 'fingerprint'))
    const name = services[0]?.attributes['name']?.toLowerCase()
    yield serviceSighting({
      host,
      protocol,
      port,
      name: name === undefined || name.startsWith('<') ? undefined : name,
      isNameGuessed: true,
      product: program?.attributes['product'],
      version: program?.attributes['version'],
    })
  }
  for (const service of services) yield* testItems(service, { host, protocol, port }, definitions)
}

function* testItems(
  holder: Element,
  place: ReportedHost,
  definitions: ReadonlyMap<string, Element>,
): Generator<Sighting | Item> {
  for (const test of childrenOf(childOf(holder, 'tests'), 'test')) {
    const status = test.attributes['status'] ?? ''
    if (!status.startsWith('vulnerable') && !status.startsWith('not-vulnerable')) continue
    yield* itemsOf(`line ${test.line}`, test, (each) => [
      finding(each, place, definitions.get((each.attributes['id'] ?? '').toLowerCase())),
    ])
  }
}

const CONFIDENCE = new Map(
  Object.entries({
    'vulnerable-exploited': 'exploited',
    'vulnerable-version': 'by version',
    'vulnerable-potential': 'potential',
  }),
)

/** From 1 to 10, without a CVSS score (1-3 moderate, 4-7 severe, 8-10 critical). */
const severityOfRank = (rank: number | undefined): Severity | null =>
  rank === undefined ? null : rank >= 8 ? 'critical' : rank >= 4 ? 'high' : 'medium'

const finding = (test: Element, { host, protocol, port }: ReportedHost, definition: Element | undefined): Sighting => {
  const stated = definition?.attributes ?? {}
  const references = childrenOf(childOf(definition, 'references'), 'reference')
  const passed = test.attributes['status']?.startsWith('not-') ?? false
  const score = cleanNumber(stated['cvssV3Score']) || cleanNumber(stated['cvssScore'])
  return vulnerabilitySighting({
    tool: 'nexpose',
    ruleId: test.attributes['id']?.toLowerCase(),
    asset: port === undefined ? host : `${hostAndPort(host, port)}/${protocol}`,
    host,
    protocol,
    port,
    matcher: test.attributes['key'],
    title: stated['title'] ?? test.attributes['id'],
    passed,
    severity: passed
      ? null
      : score === undefined
        ? severityOfRank(cleanNumber(stated['severity']))
        : severityOfScore(score),
    confidence: CONFIDENCE.get(test.attributes['status'] ?? ''),
    description: wordsIn(childOf(definition, 'description')),
    solution: wordsIn(childOf(definition, 'solution')),
    references: references.map(({ text }) => text).filter((text) => text.startsWith('http')),
    cve: references.filter(({ attributes }) => attributes['source'] === 'CVE').map(({ text }) => text),
    cvssVector: stated['cvssV3Vector'] ?? stated['cvssVector'],
    cvssScore: score,
    evidence: [wordsIn(test)],
  })
}

/** The text of an element and of those in it, such as paragraphs and lists. */
const wordsIn = (element: Element | undefined): string | undefined =>
  element &&
  ([element.text, ...element.children.map((child) => wordsIn(child) ?? '')]
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join('\n') ||
    undefined)
