import type { Severity } from '@sortie/contract/core/values.ts'
import { canonicalHost, canonicalName, canonicalUrl } from '../inventory/sightings/canonical.ts'
import { vulnerabilitySighting } from '../inventory/sightings/finding-sightings.ts'
import { requireHost, type Sighting } from '../inventory/sightings/sightings.ts'
import { originOf, webPathSighting } from '../inventory/sightings/web-sightings.ts'
import { CoverageTracker } from './fields/coverage-tracker.ts'
import { plainText } from './readers/html.ts'
import { readDocument } from './readers/json-document.ts'
import { type Fields, itemsOf, listOf, objectOf, textIn, UnknownFields } from './readers/records.ts'
import { childOf, childrenOf, type Element, fieldsIn, readXml, textOf } from './readers/xml.ts'
import type { Format, Item } from './registry/format.ts'

const SITE = 'OWASPZAPReport/site'
/** Paths of alerts in each version's XML. */
const ALERTS = new Set([`${SITE}/alerts/alertitem`, `${SITE}/alertitem`, 'report/site/alerts/alertitem'])
const SITES = new Set([SITE, 'report/site'])

/** XML and JSON reports of ZAP. They cover the sites that they list. */
export const zap: Format = {
  id: 'zap',
  name: 'ZAP report, XML and JSON, traditional and plus',
  recognisedBy: 'XML whose root is OWASPZAPReport; JSON with site and @version or @programName',
  knowsCoverage: true,
  // The newer attribute is in UTC, the older one in the machine's language and time zone.
  statedTimes: () => ({
    attributes: ['created', 'generated'],
    patterns: [/"created"\s{0,5}:\s{0,5}"([^"\\]{1,60})"/g, /"@generated"\s{0,5}:\s{0,5}"([^"\\]{1,60})"/g],
  }),
  isIn: (head) =>
    (head.shape === 'xml' && head.root === 'OWASPZAPReport') ||
    (head.shape === 'json' && head.keys.has('site') && (head.keys.has('@version') || head.keys.has('@programName'))),
  read: (text, head) => (head.shape === 'xml' ? readXmlReport(text) : readJsonReport(text)),
}

/** An alert, common to XML and JSON. */
interface Alert {
  field(name: string): string | undefined
  tags: readonly string[]
  /** Its fields and those of its instances, to be counted. */
  fields: readonly Fields[]
  instances: readonly ((name: string) => string | undefined)[]
}

async function* readXmlReport(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const unknown = new UnknownFields(FIELDS)
  const looked = new CoverageTracker()
  let site = ''
  for await (const event of readXml(text, (path) => ALERTS.has(path))) {
    if (event.type === 'error') {
      looked.forget()
      yield { type: 'cut', reason: event.reason }
    } else if (event.type === 'open') {
      if (event.path === 'OWASPZAPReport') yield { type: 'tool', version: event.element.attributes['version'] ?? '' }
      if (!SITES.has(event.path)) continue
      yield* looked.finish()
      const { name = '', host } = event.element.attributes
      site = siteOf(name)
      beginSite(looked, site, host)
    } else {
      const at = site
      const alert = alertOfXml(event.element)
      for (const fields of alert.fields) unknown.count(fields)
      yield* looked.watch(alertItems(`line ${event.element.line}`, alert, at))
    }
  }
  yield* looked.finish()
  yield* unknown.warnings()
}

/** Of alerts and of their instances, in every version. */
const FIELDS = new Set(
  `pluginid alertRef alert name riskcode confidence riskdesc confidencedesc desc instances count solution otherinfo reference cweid wascid sourceid
  systemic tags id uri nodeName method param attack evidence inputVector requestheader requestbody responseheader responsebody request-header
  request-body response-header response-body`.split(/\s+/),
)

const alertOfXml = (element: Element): Alert => ({
  fields: [element, ...childrenOf(childOf(element, 'instances'), 'instance')].map(fieldsIn),
  field: (name) => textOf(element, name),
  tags: childrenOf(childOf(element, 'tags'), 'tag').flatMap((tag) => textOf(tag, 'tag') ?? []),
  instances: childOf(element, 'instances')
    ? childrenOf(childOf(element, 'instances'), 'instance').map((instance) => (name: string) => textOf(instance, name))
    : // ZAP 2.4 has the place in the alert itself.
      [(name: string) => textOf(element, name)],
})

async function* readJsonReport(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const unknown = new UnknownFields(FIELDS)
  const looked = new CoverageTracker()
  let name = ''
  let host: string | undefined
  const interest = (written: string) => {
    const path = ofSite(written)
    return path === '' || path === 'site' || path === 'site.alerts' ? 'enter' : WANTED.has(path) ? 'whole' : 'skip'
  }
  for await (const event of readDocument(text, interest)) {
    if (event.type === 'error') {
      looked.forget()
      yield { type: 'cut', reason: `line ${event.line}: ${event.reason}` }
      continue
    }
    const path = ofSite(event.path)
    if (event.type === 'open') {
      if (path === 'site.alerts') beginSite(looked, siteOf(name), host)
      if (path !== 'site') continue
      yield* looked.finish()
      name = ''
      host = undefined
    } else if (event.type === 'value') {
      if (path === '@version') yield { type: 'tool', version: textIn(event.value) ?? '' }
      if (path === 'site.@name') name = textIn(event.value) ?? ''
      if (path === 'site.@host') host = textIn(event.value)
      if (path !== 'site.alerts.*') continue
      const alert = alertOfJson(event.value)
      for (const fields of alert.fields) unknown.count(fields)
      yield* looked.watch(alertItems(`line ${event.line}`, alert, siteOf(name)))
    }
  }
  yield* looked.finish()
  yield* unknown.warnings()
}

const WANTED = new Set(['@version', 'site.@name', 'site.@host', 'site.alerts.*'])

/** Versions before 2.8 write a single site as an object, later ones a list. */
const ofSite = (path: string): string => path.replace(/^site\.\*/, 'site')

const alertOfJson = (value: unknown): Alert => {
  const alert = objectOf(value)
  const reader = (object: Record<string, unknown>) => (name: string) =>
    typeof object[name] === 'boolean' ? String(object[name]) : textIn(object[name])
  const tags = listOf(alert['tags']).flatMap((tag) => textIn(objectOf(tag)['tag']) ?? [])
  return {
    fields: [alert, ...listOf(alert['instances']).map(objectOf)],
    field: reader(alert),
    tags,
    instances: Array.isArray(alert['instances'])
      ? listOf(alert['instances']).map(objectOf).map(reader)
      : [reader(alert)],
  }
}

/** Some reports write `//host` without a scheme. */
const siteOf = (name: string): string => {
  const url = canonicalUrl(name.startsWith('//') ? `http:${name}` : name)
  return url ? originOf(url) : name
}

const beginSite = (looked: CoverageTracker, site: string, host: string | undefined): void => {
  const url = canonicalUrl(site)
  const found = canonicalHost(url ? url.hostname : (host ?? ''))
  if (found !== undefined) looked.begin(found, site)
}

const SEVERITY_OF_RISK = new Map<string, Severity>(
  Object.entries({ '0': 'info', '1': 'low', '2': 'medium', '3': 'high' }),
)

function* alertItems(position: string, alert: Alert, site: string): Generator<Item> {
  for (const instance of alert.instances)
    yield* itemsOf(position, instance('uri') ?? '', () => instanceSightings(alert, instance, site))
}

function* instanceSightings(
  { field, tags }: Alert,
  instance: (name: string) => string | undefined,
  site: string,
): Generator<Sighting> {
  const uri = instance('uri') ?? site
  const url = canonicalUrl(uri)
  const host = url ? (canonicalHost(url.hostname) as string) : requireHost(canonicalUrl(site)?.hostname ?? site, 'uri')
  const method = instance('method') ?? 'GET'
  if (url) yield webPathSighting({ url: url.href })
  yield vulnerabilitySighting({
    tool: 'zap',
    ruleId: field('alertRef') ?? field('pluginid'),
    asset: site,
    host,
    askedName: canonicalName(host),
    port: url ? (url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)) : undefined,
    location: url?.href ?? uri,
    matcher: [method, instance('param')].filter(Boolean).join(' '),
    title: field('name') ?? field('alert'),
    severity: SEVERITY_OF_RISK.get(field('riskcode') ?? '') ?? null,
    // 0: a user of ZAP marked it as a false positive.
    disposition: field('confidence') === '0' ? 'false_positive' : null,
    confidence: { '1': 'low', '2': 'medium', '3': 'high', '4': 'confirmed' }[field('confidence') ?? ''],
    description: plainText(field('desc')),
    solution: plainText(field('solution')),
    references: linksIn(field('reference')),
    cwe: field('cweid'),
    request: message(
      instance('requestheader') ?? instance('request-header'),
      instance('requestbody') ?? instance('request-body'),
    ),
    response: message(
      instance('responseheader') ?? instance('response-header'),
      instance('responsebody') ?? instance('response-body'),
    ),
    evidence: [
      instance('attack'),
      instance('evidence'),
      plainText(instance('otherinfo')),
      plainText(field('otherinfo')),
    ],
    more: {
      tags,
      wasc: field('wascid') && `WASC-${field('wascid')}`,
      systemic: field('systemic') === 'true' || undefined,
      attack: instance('attack'),
    },
  })
}

const linksIn = (html = ''): string[] => html.match(/https?:\/\/[^\s"'<>]{1,2000}/g) ?? []

const message = (header: string | undefined, body: string | undefined): string | undefined =>
  header === undefined && body === undefined ? undefined : [header, body].filter(Boolean).join('\n\n')
