import { canonicalUrl } from '../../inventory/sightings/canonical.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { severityOf } from '../../inventory/sightings/severities.ts'
import { InvalidSighting, type Sighting } from '../../inventory/sightings/sightings.ts'
import { placeOf } from '../fields/places.ts'
import { plainText } from '../readers/html.ts'
import { itemsOf, UnknownFields } from '../readers/records.ts'
import { childOf, childrenOf, type Element, fieldsIn, readXml, textOf } from '../readers/xml.ts'
import type { Format, Item } from '../registry/format.ts'

/** XML of Acunetix. */
export const acunetix: Format = {
  id: 'acunetix',
  name: 'Acunetix XML',
  recognisedBy: 'XML whose root is ScanGroup',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/<StartTime>([^<]{1,40})</g] }),
  isIn: (head) => head.shape === 'xml' && head.root === 'ScanGroup',
  read: readAcunetix,
}

/** A scan of a file with several has its own site. */
const SCAN = 'ScanGroup/Scan'
const WHOLE = new Set(['ScanGroup/Scan/StartURL', 'ScanGroup/Scan/ReportItems/ReportItem'])

const FIELDS = new Set(
  `Name ModuleName Details Affects Parameter AOP_SourceFile AOP_SourceLine AOP_Additional IsFalsePositive Severity Type Impact Description
  DetailedInformation Recommendation TechnicalDetails CWE CWEList CVEList CVSS CVSS3 CVSS4 References`.split(/\s+/),
)

async function* readAcunetix(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const unknown = new UnknownFields(FIELDS)
  let site = ''
  for await (const event of readXml(text, (path) => WHOLE.has(path))) {
    if (event.type === 'error') yield { type: 'cut', reason: event.reason }
    else if (event.type === 'open' && event.path === SCAN) site = ''
    else if (event.type === 'element') {
      if (event.element.name === 'StartURL') site = event.element.text.trim()
      else {
        const at = site
        unknown.count(fieldsIn(event.element))
        yield* itemsOf(`line ${event.element.line}`, event.element, (item) => itemSightings(item, at))
      }
    }
  }
  yield* unknown.warnings()
}

function* itemSightings(item: Element, site: string): Generator<Sighting> {
  const start = canonicalUrl(/^https?:\/\//i.test(site) ? site : `http://${site}`)
  const affects = textOf(item, 'Affects') ?? '/'
  // A file or a program that it names has no place of its own.
  const written = /^https?:\/\//i.test(affects)
    ? affects
    : start && /^\/(?!\/)/.test(affects)
      ? start.origin + affects
      : ''
  const place = placeOf(written) ?? (start && placeOf(start.href))
  if (!place) throw new InvalidSighting('the scan names no address')
  const technical = childOf(item, 'TechnicalDetails')
  const [v4, v3, v2] = [childOf(item, 'CVSS4'), childOf(item, 'CVSS3'), childOf(item, 'CVSS')]
  const cvss = [v4, v3, v2].find((each) => textOf(each, 'Score') !== undefined)
  const details = plainText(textOf(item, 'Details'))
  yield vulnerabilitySighting({
    tool: 'acunetix',
    ruleId: textOf(item, 'Name'),
    ...place,
    matcher: textOf(item, 'Parameter'),
    title: textOf(item, 'Name'),
    severity: severityOf(textOf(item, 'Severity')),
    severityWord: textOf(item, 'Severity'),
    disposition: /^(?:1|true)$/i.test(textOf(item, 'IsFalsePositive') ?? '') ? 'false_positive' : null,
    description: [plainText(textOf(item, 'Description')), plainText(textOf(item, 'DetailedInformation'))]
      .filter(Boolean)
      .join('\n\n'),
    impact: plainText(textOf(item, 'Impact')),
    solution: plainText(textOf(item, 'Recommendation')),
    references: childrenOf(childOf(item, 'References'), 'Reference').map((reference) => textOf(reference, 'URL')),
    cve: childrenOf(childOf(item, 'CVEList'), 'CVE').map(({ text, attributes }) => attributes['id'] ?? text),
    cwe: [
      ...childrenOf(childOf(item, 'CWEList'), 'CWE').map(({ text, attributes }) => attributes['id'] ?? text),
      textOf(childOf(item, 'CWE'), 'id') ?? '',
    ],
    cvssVector: textOf(cvss, 'Descriptor'),
    cvssScore: cleanNumber(textOf(cvss, 'Score')),
    request: textOf(technical, 'Request'),
    response: textOf(technical, 'Response'),
    evidence: [details, sourceIn(item)],
  })
}

/** What AcuSensor found in the code of the server. */
const sourceIn = (item: Element): string =>
  [
    [textOf(item, 'AOP_SourceFile'), textOf(item, 'AOP_SourceLine')].filter((part) => part && part !== '0').join(':'),
    textOf(item, 'AOP_Additional'),
  ]
    .filter(Boolean)
    .join('\n')
