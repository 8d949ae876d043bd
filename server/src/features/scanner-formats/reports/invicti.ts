import type { Severity } from '@sortie/contract/core/values.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { severityOf } from '../../inventory/sightings/severities.ts'
import { InvalidSighting, type Sighting } from '../../inventory/sightings/sightings.ts'
import { PassedChecks } from '../fields/passed-checks.ts'
import { placeOf } from '../fields/places.ts'
import { plainText } from '../readers/html.ts'
import { itemsOf, UnknownFields } from '../readers/records.ts'
import { childOf, childrenOf, type Element, fieldsIn, readXml, textOf } from '../readers/xml.ts'
import type { Format, Item } from '../registry/format.ts'

const ROOTS = new Set([
  'invicti-enterprise',
  'invicti-standard',
  'invicti',
  'netsparker-enterprise',
  'netsparker-cloud',
  'netsparker',
])

/** XML reports of Invicti, formerly Netsparker. */
export const invicti: Format = {
  id: 'invicti',
  name: 'Invicti and Netsparker XML',
  recognisedBy: 'XML whose root is invicti-enterprise, netsparker-enterprise or netsparker',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/<(?:initiated|scan-time)>([^<]{1,40})</g] }),
  isIn: (head) => head.shape === 'xml' && ROOTS.has(head.root.toLowerCase()),
  read: readInvicti,
}

const FIELDS = new Set(
  `LookupId url name type state severity certainty confirmed description impact remedial-actions remedial-procedure exploitation-skills
  remedy-references external-references proof-of-concept http-request http-response extra-information extrainformation classification
  FirstSeenDate LastSeenDate cve-list cvss cvss31 cvss40 vulnerableparameter vulnerableparametertype vulnerableparametervalue rawrequest
  rawresponse`.split(/\s+/),
)

async function* readInvicti(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const unknown = new UnknownFields(FIELDS)
  let site = ''
  const passed = new PassedChecks()
  for await (const event of readXml(
    text,
    (path) => path.endsWith('/vulnerability') || /^[^/]+\/target\/url$/.test(path),
  )) {
    if (event.type === 'error') yield { type: 'cut', reason: event.reason }
    else if (event.type === 'element') {
      if (event.element.name === 'url') site = event.element.text.trim()
      else {
        const at = site
        unknown.count(fieldsIn(event.element))
        yield* passed.watch(itemsOf(`line ${event.element.line}`, event.element, (item) => itemSightings(item, at)))
      }
    }
  }
  yield* passed.warnings()
  yield* unknown.warnings()
}

/** Best practices are hints. */
const severityIn = (word: string | undefined): Severity | null =>
  /^best ?practice$/i.test(word ?? '') ? 'info' : severityOf(word)

function* itemSightings(item: Element, site: string): Generator<Sighting> {
  const place = placeOf(textOf(item, 'url') ?? site)
  if (!place) throw new InvalidSighting('the vulnerability names no address')
  const state = textOf(item, 'state') ?? ''
  const passed = /^fixed ?\(confirmed\)/i.test(state)
  const classification = childOf(item, 'classification')
  const cvss = ['cvss40', 'cvss31', 'cvss']
    .map((name) => childOf(classification, name) ?? childOf(item, name))
    .find((found) => found !== undefined)
  const base =
    childrenOf(cvss, 'score').find((score) => /base/i.test(textOf(score, 'type') ?? '')) ?? childOf(cvss, 'score')
  yield vulnerabilitySighting({
    tool: 'invicti',
    ruleId: textOf(item, 'type') ?? textOf(item, 'name'),
    ...place,
    matcher: textOf(item, 'vulnerableparameter') ?? textOf(childOf(item, 'http-request'), 'parameters'),
    title: textOf(item, 'name') ?? textOf(item, 'type'),
    severity: passed ? null : severityIn(textOf(item, 'severity')),
    severityWord: textOf(item, 'severity'),
    passed,
    disposition: /false ?positive/i.test(state) ? 'false_positive' : /accepted ?risk/i.test(state) ? 'accepted' : null,
    confidence:
      textOf(item, 'certainty') ??
      (item.attributes['confirmed'] === 'True' || textOf(item, 'confirmed') === 'True' ? 'confirmed' : undefined),
    description: plainText(textOf(item, 'description')),
    impact: plainText(textOf(item, 'impact')),
    solution: plainText(
      [textOf(item, 'remedial-actions'), textOf(item, 'remedial-procedure')].filter(Boolean).join('\n\n'),
    ),
    references: linksIn(`${textOf(item, 'external-references') ?? ''} ${textOf(item, 'remedy-references') ?? ''}`),
    cve: childrenOf(childOf(item, 'cve-list'), 'cve').map(({ text }) => text),
    cwe: textOf(classification, 'cwe') ?? textOf(classification, 'CWE'),
    cvssVector: textOf(cvss, 'vector'),
    cvssScore: cleanNumber(textOf(base, 'value')),
    request: textOf(childOf(item, 'http-request'), 'content') ?? textOf(item, 'rawrequest'),
    response: textOf(childOf(item, 'http-response'), 'content') ?? textOf(item, 'rawresponse'),
    evidence: [
      plainText(textOf(item, 'proof-of-concept')),
      plainText(textOf(item, 'vulnerableparametervalue')),
      ...['extrainformation', 'extra-information'].map((name) => informationIn(childOf(item, name))),
    ],
  })
}

const linksIn = (html: string): string[] => html.match(/https?:\/\/[^\s"'<>]{1,2000}/g) ?? []

/** A text, or pairs of name and value. */
const informationIn = (element: Element | undefined): string =>
  [
    plainText(element?.text),
    ...(element?.children ?? []).map(({ attributes, text }) =>
      [attributes['name'], plainText(attributes['value'] ?? text)].filter(Boolean).join(': '),
    ),
  ]
    .filter(Boolean)
    .join('\n')
