import type { Severity } from '@sortie/contract/core/values.ts'
import {
  canonicalAddress,
  canonicalName,
  canonicalPort,
  canonicalProtocol,
  hostAndPort,
} from '../../inventory/sightings/canonical.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { hostSighting, InvalidSighting, type Sighting } from '../../inventory/sightings/sightings.ts'
import { isInformationOfQualys, LEVELS_OF_QUALYS } from '../csv/csv-columns.ts'
import { PassedChecks } from '../fields/passed-checks.ts'
import { plainText } from '../readers/html.ts'
import { itemsOf, UnknownFields } from '../readers/records.ts'
import { childOf, childrenOf, type Element, fieldsIn, readXml, textOf } from '../readers/xml.ts'
import type { Format, Item, ReadOptions } from '../registry/format.ts'

/** XML of Qualys: results of a scan (SCAN) and asset reports (ASSET_DATA_REPORT). Its findings are those of its CSV. */
export const qualys: Format = {
  id: 'qualys',
  name: 'Qualys XML, scan results and asset reports',
  recognisedBy: 'XML whose root is SCAN or ASSET_DATA_REPORT',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/<KEY value="DATE">([^<]{1,40})</g, /<GENERATION_DATETIME>([^<]{1,40})</g] }),
  isIn: (head) => head.shape === 'xml' && (head.root === 'SCAN' || head.root === 'ASSET_DATA_REPORT'),
  read: (text, head, options) =>
    head.shape === 'xml' && head.root === 'SCAN' ? readScan(text) : readReport(text, options),
}

interface Host {
  host: string
  askedName: string | undefined
}

interface ReportedHost {
  port: number | undefined
  protocol: string
}

const hostOf = (address: string | undefined, name: string | undefined): Host => {
  const host = canonicalAddress(address ?? '')
  if (host === undefined) throw new InvalidSighting('the host has no address')
  return { host, askedName: canonicalName(name ?? '') }
}

/** Of a host in scan results. */
const OF_SCANNED_HOST = new Set([
  'OS',
  'OS_CPE',
  'NETBIOS_HOSTNAME',
  'NETWORK',
  'VULNS',
  'PRACTICES',
  'INFOS',
  'SERVICES',
])
/** Of a host in an asset report. */
const OF_REPORTED_HOST = new Set(
  `IP TRACKING_METHOD ASSET_TAGS DNS NETBIOS QG_HOSTID IP_INTERFACES OPERATING_SYSTEM OS_CPE ASSET_GROUPS NETWORK VULN_INFO_LIST`.split(
    ' ',
  ),
)

async function* readScan(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const unknown = new UnknownFields(OF_SCANNED_HOST)
  for await (const event of readXml(text, (path) => path === 'SCAN/IP')) {
    if (event.type === 'error') yield { type: 'cut', reason: event.reason }
    else if (event.type === 'element') {
      unknown.count(fieldsIn(event.element))
      yield* itemsOf(`line ${event.element.line}`, event.element, scannedHost)
    }
  }
  yield* unknown.warnings()
}

function* scannedHost(element: Element): Generator<Sighting | Item> {
  const place = hostOf(element.attributes['value'], element.attributes['name'])
  yield hostSighting({ ...place, up: true, os: textOf(element, 'OS') })
  for (const [list, entry] of [
    ['VULNS', 'VULN'],
    ['PRACTICES', 'PRACTICE'],
    ['INFOS', 'INFO'],
    ['SERVICES', 'SERVICE'],
  ] as const) {
    for (const category of childrenOf(childOf(element, list), 'CAT')) {
      const at = {
        port: canonicalPort(category.attributes['port']),
        protocol: canonicalProtocol(category.attributes['protocol']) ?? 'tcp',
      }
      for (const found of childrenOf(category, entry)) {
        const isPotential = list === 'PRACTICES'
        yield* itemsOf(`line ${found.line}`, found, () => [
          finding(
            found.attributes['number'],
            place,
            at,
            found,
            list === 'INFOS' || list === 'SERVICES' ? INFORMATION : found.attributes['severity'],
            textOf(found, 'RESULT'),
            isPotential,
          ),
        ])
      }
    }
  }
}

/** The level of what Qualys gathers, such as open ports, whatever level it has there. */
const INFORMATION = '1'

/** Details kept while the hosts are read. */
const MAX_DETAILS = 20_000

/** The glossary comes after the hosts, so the file is read twice. */
async function* readReport(text: AsyncIterable<string>, { again }: ReadOptions): AsyncGenerator<Item> {
  const glossary = new Map<string, Element>()
  for await (const event of readXml(
    again(),
    (path) => path === 'ASSET_DATA_REPORT/GLOSSARY/VULN_DETAILS_LIST/VULN_DETAILS',
  )) {
    if (event.type === 'element' && glossary.size < MAX_DETAILS)
      glossary.set(textOf(event.element, 'QID') ?? '', event.element)
  }
  const passed = new PassedChecks()
  const unknown = new UnknownFields(OF_REPORTED_HOST)
  for await (const event of readXml(text, (path) => path === 'ASSET_DATA_REPORT/HOST_LIST/HOST')) {
    if (event.type === 'error') yield { type: 'cut', reason: event.reason }
    else if (event.type === 'element') {
      unknown.count(fieldsIn(event.element))
      yield* passed.watch(itemsOf(`line ${event.element.line}`, event.element, (host) => reportedHost(host, glossary)))
    }
  }
  yield* passed.warnings()
  yield* unknown.warnings()
}

function* reportedHost(element: Element, glossary: ReadonlyMap<string, Element>): Generator<Sighting | Item> {
  const place = hostOf(textOf(element, 'IP'), textOf(element, 'DNS'))
  yield hostSighting({ ...place, up: true, os: textOf(element, 'OPERATING_SYSTEM') })
  for (const found of childrenOf(childOf(element, 'VULN_INFO_LIST'), 'VULN_INFO')) {
    const type = textOf(found, 'TYPE') ?? ''
    const qid = textOf(found, 'QID')
    const details = glossary.get(qid ?? '')
    const at = {
      port: canonicalPort(textOf(found, 'PORT')),
      protocol: canonicalProtocol(textOf(found, 'PROTOCOL')) ?? 'tcp',
    }
    const isFixed = textOf(found, 'VULN_STATUS') === 'Fixed'
    yield* itemsOf(`line ${found.line}`, found, () => [
      finding(
        qid,
        place,
        at,
        details,
        isInformationOfQualys(type) ? INFORMATION : textOf(details, 'SEVERITY'),
        textOf(found, 'RESULT'),
        /^(?:Practice|Potential)/i.test(type),
        isFixed,
      ),
    ])
  }
}

const finding = (
  qid: string | undefined,
  { host, askedName }: Host,
  { port, protocol }: ReportedHost,
  details: Element | undefined,
  level: string | undefined,
  result: string | undefined,
  isPotential: boolean,
  passed = false,
): Sighting => {
  const score = cleanNumber(
    textOf(details, 'CVSS3_BASE') ??
      textOf(childOf(details, 'CVSS3_SCORE'), 'CVSS3_BASE') ??
      textOf(details, 'CVSS_BASE') ??
      textOf(childOf(details, 'CVSS_SCORE'), 'CVSS_BASE'),
  )
  const severity: Severity | null = LEVELS_OF_QUALYS.get(level ?? '') ?? null
  return vulnerabilitySighting({
    tool: 'qualys',
    ruleId: qid,
    asset: port === undefined ? host : `${hostAndPort(host, port)}/${protocol}`,
    host,
    askedName,
    protocol: port === undefined ? undefined : protocol,
    port,
    passed,
    title: textOf(details, 'TITLE') ?? `QID ${qid ?? ''}`,
    severity: passed ? null : severity,
    confidence: isPotential ? 'potential' : undefined,
    description: plainText(textOf(details, 'DIAGNOSIS') ?? textOf(details, 'THREAT')),
    impact: plainText(textOf(details, 'CONSEQUENCE') ?? textOf(details, 'IMPACT')),
    solution: plainText(textOf(details, 'SOLUTION')),
    cve: childrenOf(childOf(details, 'CVE_ID_LIST'), 'CVE_ID').map((cve) => textOf(cve, 'ID') ?? ''),
    cvssScore: score,
    evidence: [result],
  })
}
