import { SEVERITIES } from '@sortie/contract/core/values.ts'
import {
  canonicalAddress,
  canonicalHost,
  canonicalName,
  canonicalPort,
  canonicalProtocol,
  canonicalUrl,
  hostAndPort,
} from '../inventory/sightings/canonical.ts'
import { cleanNumber } from '../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../inventory/sightings/finding-sightings.ts'
import { hostSighting, type Sighting, serviceSighting, InvalidSighting } from '../inventory/sightings/sightings.ts'
import { CoverageTracker } from './fields/coverage-tracker.ts'
import { probeBetween } from './fields/probes.ts'
import { itemsOf, UnknownFields } from './readers/records.ts'
import { rejection } from './readers/rejections.ts'
import { childrenOf, type Element, fieldsIn, readXml, textOf } from './readers/xml.ts'
import type { Format, Item } from './registry/format.ts'

const HOST = 'NessusClientData_v2/Report/ReportHost'

/** XML of Nessus, version 2. It covers the hosts that it lists. */
export const nessus: Format = {
  id: 'nessus',
  name: 'Nessus XML, version 2 (.nessus)',
  recognisedBy: 'XML whose root is NessusClientData_v2',
  knowsCoverage: true,
  statedTimes: () => ({
    patterns: [
      /<tag name="HOST_(?:START|END)_TIMESTAMP">([^<]{1,40})</g,
      /<tag name="HOST_(?:START|END)">([^<]{1,40})</g,
    ],
  }),
  isIn: (head) => head.shape === 'xml' && head.root === 'NessusClientData_v2',
  read: readNessus,
}

/** Children of an item, without attachments, which are not read. */
const FIELDS = new Set(
  `description synopsis solution see_also plugin_output plugin_name plugin_type plugin_publication_date plugin_modification_date fname script_version
  risk_factor cve cwe bid xref cpe cert osvdb secunia edb-id iava iavb iavt icsa mskb msft rhsa cisco-sa cisco-bug-id cea-id stig_severity
  cvss cvssv3 cvss_base_score cvss_vector cvss_temporal_score cvss_temporal_vector cvss_score_source cvss_score_rationale
  cvss3_base_score cvss3_vector cvss3_temporal_score cvss3_temporal_vector cvssV3_impactScore cvss4_base_score cvss4_vector cvss4_threat_score
  cvss4_threat_vector vpr_score epss_score age_of_vuln product_coverage threat_intensity_last_28 threat_recency threat_sources_last_28
  vuln_publication_date patch_publication_date exploit_available exploitability_ease exploit_code_maturity exploited_by_malware exploited_by_nessus
  exploit_framework_core exploit_framework_canvas exploit_framework_metasploit exploit_framework_d2_elliot exploit_framework_exploithub
  exploithub_sku metasploit_name canvas_package d2_elliot_name default_account in_the_news unsupported_by_vendor potential_vulnerability
  thorough_tests required_key required_port always_run agent asset_inventory asset_inventory_category hardware_inventory os_identification
  software_enumeration generated_plugin compliance compliance-check-id compliance-check-name compliance-result compliance-info
  compliance-solution compliance-reference compliance-actual-value compliance-policy-value compliance-audit-file compliance-see-also
  compliance-benchmark-name compliance-benchmark-version compliance-benchmark-profile compliance-control-id compliance-full-id
  compliance-functional-id compliance-informational-id compliance-source compliance-uname compliance-error`.split(
    /\s+/,
  ),
)

interface ReportedHost {
  host: string
  askedName: string | undefined
}

/** Streams, because the policy before the first host may have megabytes. */
async function* readNessus(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const looked = new CoverageTracker()
  const unknown = new UnknownFields(FIELDS)
  let passed = 0
  let name = ''
  let place: ReportedHost | undefined
  let isDead = false
  /** Buffered items of the host, because the report that it is dead may come last. */
  let held: Item[] = []
  function* endHost(): Generator<Item> {
    if (!isDead) {
      yield* held
      yield* looked.finish()
    }
    looked.forget()
    isDead = false
    held = []
  }
  for await (const event of readXml(
    text,
    (path) => path === `${HOST}/HostProperties` || path === `${HOST}/ReportItem`,
  )) {
    if (event.type === 'error') {
      looked.forget()
      yield { type: 'cut', reason: event.reason }
    } else if (event.type === 'open') {
      if (event.path !== HOST) continue
      yield* endHost()
      name = event.element.attributes['name'] ?? ''
      const host = hostOfName(name)
      place = host === undefined ? undefined : { host, askedName: canonicalName(host) }
    } else if (event.element.name === 'HostProperties') {
      place = placeIn(event.element, name) ?? place
      if (!place)
        yield rejection(
          `line ${event.element.line}`,
          `<ReportHost name="${name}">`,
          'the host has neither an address nor a name',
        )
      else {
        looked.begin(place.host)
        held = [...hostItems(event.element, place)]
      }
    } else if (place) {
      const at = place
      if (isDeadItem(event.element)) {
        isDead = true
        continue
      }
      if (hasPassed(event.element)) passed++
      unknown.count(fieldsIn(event.element))
      yield* looked.watch(itemsOf(`line ${event.element.line}`, event.element, (item) => itemSightings(item, at)))
    }
  }
  yield* endHost()
  if (passed > 0) yield { type: 'warning', text: `Compliance checks that passed and are not findings: ${passed}.` }
  yield* unknown.warnings()
}

/** Fields of a compliance check (namespace `cm`). All checks share one plugin. */
const complianceOf = (item: Element) => {
  const field = (name: string) => textOf(item, `compliance-${name}`)
  const described = field('check-name') === undefined ? describedCheck(item) : undefined
  const name = field('check-name') ?? described?.name
  const result = field('result')?.toUpperCase() ?? described?.result
  return { id: field('check-id') ?? name, name, result, field, isDescribed: described !== undefined }
}

const CHECK_RESULTS = new Set(['PASSED', 'FAILED', 'WARNING', 'ERROR'])

/** Old versions have a check only in the description: `"1.1 Name" : [FAILED]`. */
const describedCheck = (item: Element): { name: string; result: string } | undefined => {
  if (item.attributes['pluginFamily'] !== 'Policy Compliance' && textOf(item, 'compliance') !== 'true') return undefined
  const [line = ''] = (textOf(item, 'description') ?? '').split('\n', 1)
  const start = line.lastIndexOf('[')
  const result = line.slice(start + 1, line.indexOf(']', start)).toUpperCase()
  const named = line.slice(0, Math.max(0, start)).trimEnd()
  const name = (named.endsWith(':') ? named.slice(0, -1) : named).trim()
  const plain = name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1).trim() : name
  return plain !== '' && CHECK_RESULTS.has(result) ? { name: plain, result } : undefined
}

const hasPassed = (item: Element): boolean => complianceOf(item).result === 'PASSED'

const PING = '10180'

/** True if this Nessus plugin reports that the host does not respond. */
export const saysDead = (pluginId: string | undefined, output: string | undefined): boolean =>
  pluginId === PING &&
  /\bis (?:considered as )?dead\b|\bdid not respond\b/i.test(output ?? '') &&
  !/\bis up\b/i.test(output ?? '')

const isDeadItem = (item: Element): boolean => saysDead(item.attributes['pluginID'], textOf(item, 'plugin_output'))

const tagsOf = (properties: Element): Map<string, string> =>
  new Map(childrenOf(properties, 'tag').map(({ attributes, text }) => [attributes['name'] ?? '', text.trim()]))

/** Web application scans name a host by its URL. */
const hostOfName = (name: string): string | undefined => canonicalHost(canonicalUrl(name)?.hostname ?? name)

const placeIn = (properties: Element, name: string): ReportedHost | undefined => {
  const tags = tagsOf(properties)
  const host = canonicalAddress(tags.get('host-ip') ?? '') ?? hostOfName(name)
  return host === undefined
    ? undefined
    : { host, askedName: canonicalName(hostOfName(name) ?? '') ?? canonicalName(tags.get('host-fqdn') ?? '') }
}

function* hostItems(properties: Element, { host, askedName }: ReportedHost): Generator<Item> {
  const tags = tagsOf(properties)
  const time = (which: string) => tags.get(`HOST_${which}_TIMESTAMP`) ?? tags.get(`HOST_${which}`)
  const probe = probeBetween(host, time('START'), time('END'))
  if (probe) yield { type: 'probe', probe }
  yield* itemsOf(`line ${properties.line}`, properties, () => [
    hostSighting({
      host,
      askedName,
      up: true,
      hostnames: ['host-fqdn', 'hostname', 'host-rdns', 'netbios-name'].map((name) => tags.get(name) ?? ''),
      os: tags.get('operating-system'),
      cpe: [...tags]
        .filter(([name]) => /^cpe(?:-\d{1,3})?$/.test(name))
        .map(([, value]) => value.split(' -> ')[0] as string),
      credentialed: tags.get('Credentialed_Scan'),
      traceroute: [...tags]
        .filter(([name]) => name.startsWith('traceroute-hop-'))
        .map(([name, address]) => `${Number(name.slice(15)) + 1}  ${address}`)
        .join('\n'),
      mac: tags.get('mac-address')?.split('\n')[0],
    }),
  ])
}

/** What decides in which order findings are handled, and where a check of compliance comes from. */
const factsIn = (item: Element) => {
  const of = (name: string) => textOf(item, name)
  const frameworks = ['metasploit_name', 'canvas_package', 'd2_elliot_name'].flatMap((name) => of(name) ?? [])
  return {
    synopsis: of('synopsis'),
    family: item.attributes['pluginFamily'],
    exploitAvailable: of('exploit_available') === undefined ? undefined : of('exploit_available') === 'true',
    exploitEase: of('exploitability_ease'),
    crossReferences: childrenOf(item, 'xref').map(({ text }) => text),
    cpe: textsIn(item, 'cpe'),
    exploits: [
      ...frameworks,
      ...(of('exploited_by_malware') === 'true' ? ['used by malware'] : []),
      ...(of('exploited_by_nessus') === 'true' ? ['used by Nessus'] : []),
    ],
    vpr: cleanNumber(of('vpr_score')),
    epss: cleanNumber(of('epss_score')),
    cvss2Score: cleanNumber(of('cvss_base_score') ?? of('cvss')),
    cvss2Vector: of('cvss_vector'),
    pluginPublished: of('plugin_publication_date'),
    patchPublished: of('patch_publication_date'),
    complianceResult: of('compliance-result'),
    complianceFile: of('compliance-audit-file'),
    complianceReference: of('compliance-reference')?.split(',').join('\n'),
    actualValue: of('compliance-actual-value'),
    policyValue: of('compliance-policy-value'),
  }
}

/** Scans of web applications have names of their own, without a version in the last one. */
const SCORES = ['cvss4_base_score', 'cvss3_base_score', 'cvssv3', 'cvss_base_score', 'cvss']

/** Words of all elements of a name: one element per word, or one with a word per line. */
const textsIn = (item: Element, name: string): string[] =>
  childrenOf(item, name).flatMap(({ text }) => text.split(/\s+/).filter(Boolean))

/** Numbers that the item names as `CWE:79`. */
const crossReferences = (item: Element, prefix: string): string[] =>
  childrenOf(item, 'xref').flatMap(({ text }) => (text.startsWith(prefix) ? [text.slice(prefix.length)] : []))

/** Nessus's own names of services. */
const SERVICES = new Map<string, string | undefined>(
  Object.entries({ www: 'http', general: undefined, unknown: undefined }),
)
const NAMES = ['pluginName', 'plugin_name']

function* itemSightings(item: Element, { host, askedName }: ReportedHost): Generator<Sighting> {
  const { port: written, protocol: word, svc_name: service = '', severity, pluginID } = item.attributes
  const protocol = canonicalProtocol(word)
  const port = canonicalPort(written)
  const isOpen = port !== undefined && protocol !== undefined
  if (isOpen)
    yield serviceSighting({
      host,
      askedName,
      protocol,
      port,
      isNameGuessed: true,
      name: SERVICES.has(service) ? SERVICES.get(service) : service.replace(/\?$/, ''),
    })
  if (pluginID === undefined) throw new InvalidSighting('the item has no pluginID')
  const { id: checkId, name: checkName, result, field, isDescribed } = complianceOf(item)
  const actual = field('actual-value')
  const policy = field('policy-value')
  yield vulnerabilitySighting({
    tool: 'nessus',
    ruleId: pluginID,
    // Every check of a plugin is a separate finding.
    matcher: checkId,
    // Versions of Sortie before 2026-12 took all checks in descriptions for one finding.
    formerly: isDescribed && result !== 'PASSED' ? [{}] : [],
    passed: result === 'PASSED',
    asset: isOpen ? `${hostAndPort(host, port)}/${protocol}` : host,
    host,
    askedName,
    protocol: isOpen ? protocol : undefined,
    port,
    title: checkName ?? NAMES.map((name) => item.attributes[name]).find((name) => name !== undefined),
    severity: SEVERITIES[Number(severity ?? Number.NaN)] ?? null,
    description: field('info') ?? textOf(item, 'description') ?? textOf(item, 'synopsis'),
    more: factsIn(item),
    solution: field('solution') ?? textOf(item, 'solution'),
    references: [
      ...(field('reference')?.split(',') ?? []),
      ...['compliance-see-also', 'see_also'].flatMap((name) => textsIn(item, name)),
    ],
    cve: childrenOf(item, 'cve').map(({ text }) => text),
    cwe: [...childrenOf(item, 'cwe').map(({ text }) => text), ...crossReferences(item, 'CWE:')],
    cvssVector: textOf(item, 'cvss4_vector') ?? textOf(item, 'cvss3_vector'),
    cvssScore: cleanNumber(SCORES.map((name) => textOf(item, name)).find((score) => score !== undefined)),
    evidence: [
      ...childrenOf(item, 'plugin_output').map(({ text }) => text),
      result && `result: ${result}`,
      actual && `actual value: ${actual}`,
      policy && `policy value: ${policy}`,
    ],
  })
}
