import { canonicalAddress, canonicalUrl } from '../inventory/sightings/canonical.ts'
import { vulnerabilitySighting } from '../inventory/sightings/finding-sightings.ts'
import { severityOf } from '../inventory/sightings/severities.ts'
import { type Sighting, InvalidSighting } from '../inventory/sightings/sightings.ts'
import { placeOf } from './fields/places.ts'
import { plainText } from './readers/html.ts'
import { itemsOf, UnknownFields } from './readers/records.ts'
import { childOf, childrenOf, type Element, fieldsIn, readXml, textOf } from './readers/xml.ts'
import type { Format, Item } from './registry/format.ts'

/** XML report of Burp's scanner (issues). */
export const burp: Format = {
  id: 'burp',
  name: 'Burp Suite issues XML',
  recognisedBy: 'XML whose root is issues, with burpVersion or a serialNumber in its first issue',
  knowsCoverage: false,
  // Export time of the report: everything in it was seen earlier.
  statedTimes: () => ({ attributes: ['exportTime'] }),
  isIn: (head) =>
    head.shape === 'xml' &&
    head.root === 'issues' &&
    (head.attributes['burpVersion'] !== undefined || head.text.includes('<serialNumber>')),
  read: readBurp,
}

const FIELDS = new Set(
  `serialNumber type name host path location severity confidence issueBackground remediationBackground references vulnerabilityClassifications
  issueDetail issueDetailItems remediationDetail requestresponse collaboratorEvent infiltratorEvent staticAnalysis dynamicAnalysis`.split(
    /\s+/,
  ),
)

async function* readBurp(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const unknown = new UnknownFields(FIELDS)
  for await (const event of readXml(text, (path) => path === 'issues/issue')) {
    if (event.type === 'error') yield { type: 'cut', reason: event.reason }
    else if (event.type === 'open')
      yield* event.path === 'issues'
        ? [{ type: 'tool', version: event.element.attributes['burpVersion'] ?? '' } as const]
        : []
    else {
      unknown.count(fieldsIn(event.element))
      yield* itemsOf(`line ${event.element.line}`, event.element, issueSightings)
    }
  }
  yield* unknown.warnings()
}

function* issueSightings(issue: Element): Generator<Sighting> {
  const origin = textOf(issue, 'host')
  const path = textOf(issue, 'path') ?? '/'
  const base = origin === undefined ? undefined : canonicalUrl(origin)
  const place = base && placeOf(new URL(base).origin + (path.startsWith('/') ? path : '/'))
  if (!place) throw new InvalidSighting('host is not an origin of http or https')
  const name = textOf(issue, 'name')
  const address = canonicalAddress(childOf(issue, 'host')?.attributes['ip'] ?? '')
  const exchanges = exchangesIn(issue)
  const events = [...childrenOf(issue, 'collaboratorEvent'), ...childrenOf(issue, 'infiltratorEvent')].map(eventOf)
  yield vulnerabilitySighting({
    tool: 'burp',
    // Issues of all extensions share one type; the name distinguishes them.
    ruleId: `${textOf(issue, 'type') ?? ''}: ${name ?? ''}`,
    ...place,
    address,
    url: place.location,
    location: textOf(issue, 'location') ?? path,
    title: name,
    severity: severityOf(textOf(issue, 'severity')),
    severityWord: /^false positive$/i.test(textOf(issue, 'severity') ?? '') ? undefined : textOf(issue, 'severity'),
    disposition: /^false positive$/i.test(textOf(issue, 'severity') ?? '') ? 'false_positive' : null,
    confidence: textOf(issue, 'confidence'),
    description: plainText(
      [textOf(issue, 'issueDetail'), textOf(issue, 'issueBackground')].filter(Boolean).join('\n\n'),
    ),
    solution: plainText(
      [textOf(issue, 'remediationDetail'), textOf(issue, 'remediationBackground')].filter(Boolean).join('\n\n'),
    ),
    references: linksIn(`${textOf(issue, 'references') ?? ''} ${textOf(issue, 'issueBackground') ?? ''}`),
    cwe: (textOf(issue, 'vulnerabilityClassifications') ?? '').match(/CWE-\d{1,6}/g) ?? [],
    ...exchanges[0],
    exchanges: [...exchanges, ...events.flatMap(({ exchanges: ofEvent }) => ofEvent)],
    evidence: [...detailItems(issue), ...events.map(({ text }) => text), ...domTraces(issue)],
  })
}

const exchangesIn = (element: Element) =>
  childrenOf(element, 'requestresponse').map((exchange) => ({
    request: messageOf(exchange, 'request'),
    response: messageOf(exchange, 'response'),
  }))

const detailItems = (issue: Element): (string | undefined)[] =>
  childrenOf(childOf(issue, 'issueDetailItems'), 'issueDetailItem').map(({ text }) => plainText(text))

/** An interaction with Burp Collaborator: proof out of band. */
const eventOf = (event: Element) => {
  const [kind, origin, time, host] = ['interactionType', 'originIp', 'time', 'lookupHost'].map((name) =>
    textOf(event, name),
  )
  const text = `Interaction by ${kind ?? 'an unknown protocol'}${origin ? ` from ${origin}` : ''}${host ? ` for ${host}` : ''}${time ? ` at ${time}` : ''}`
  return { text, exchanges: exchangesIn(event) }
}

/** Sources and sinks in JavaScript. */
const domTraces = (issue: Element): string[] =>
  ['dynamicAnalysis', 'staticAnalysis'].flatMap((name) =>
    childrenOf(issue, name).map((analysis) =>
      analysis.children
        .flatMap((part) => (part.text.trim() === '' ? [] : [`${part.name}: ${part.text.trim()}`]))
        .join('\n'),
    ),
  )

const linksIn = (html = ''): string[] => html.match(/https?:\/\/[^\s"'<>]{1,2000}/g) ?? []

/** Messages may not be UTF-8: invalid bytes become U+FFFD. */
const messageOf = (exchange: Element, name: string): string | undefined => {
  const message = childOf(exchange, name)
  if (!message) return undefined
  return message.attributes['base64'] === 'true' ? Buffer.from(message.text, 'base64').toString('utf8') : message.text
}
