import { severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import { canonicalAddress, canonicalHost, canonicalName, canonicalUrl } from '../../inventory/sightings/canonical.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { requireUrl, type Sighting } from '../../inventory/sightings/sightings.ts'
import { originOf, technologySighting, webPathSighting } from '../../inventory/sightings/web-sightings.ts'
import { type Fields, listOf, objectOf, recordItems, textIn } from '../readers/records.ts'
import type { Format, Item } from '../registry/format.ts'

/**
 * JSON of WPScan (`-f json`): WordPress, its plugins and themes with their vulnerabilities, users and other findings.
 */
export const wpscan: Format = {
  id: 'wpscan',
  name: 'WPScan JSON',
  recognisedBy: 'JSON with target_url, and banner, interesting_findings or scan_aborted',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/"start_time"\s{0,5}:\s{0,5}(\d{9,10})\b/g] }),
  isIn: (head) =>
    head.shape === 'json' &&
    ((head.keys.has('target_url') &&
      ['interesting_findings', 'effective_url', 'banner'].some((key) => head.keys.has(key))) ||
      head.keys.has('scan_aborted')),
  read: (text) => recordItems(text, reportItems, FIELDS),
}

/** Every field that is read, and those about the scan itself. */
const FIELDS = new Set(
  `banner start_time start_memory stop_time elapsed requests_done cached_requests data_sent data_sent_humanised data_received
  data_received_humanised used_memory used_memory_humanised vuln_api scan_aborted target_url target_ip target_hash effective_url
  interesting_findings version main_theme themes plugins users config_backups db_exports`.split(/\s+/),
)

type Site = Omit<Parameters<typeof vulnerabilitySighting>[0], 'tool' | 'ruleId' | 'severity'> & {
  asset: string
  host: string
  port: number
}

function* reportItems(report: Fields): Generator<Sighting | Item> {
  const aborted = textIn(report['scan_aborted'])
  if (aborted !== undefined) yield { type: 'warning', text: `WPScan stopped: ${aborted.slice(0, 300)}` }
  const written = textIn(report['effective_url']) ?? textIn(report['target_url'])
  if (written === undefined && aborted !== undefined) return
  const url = requireUrl(written, 'target_url')
  const host = canonicalHost(url.hostname) as string
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const place: Site = {
    asset: originOf(url),
    host,
    askedName: canonicalName(host),
    address: canonicalAddress(textIn(report['target_ip']) ?? ''),
    port,
    protocol: 'tcp',
  }
  yield* part(
    place,
    'WordPress',
    'wordpress',
    objectOf(report['version']),
    url.href,
    textIn(objectOf(report['version'])['number']),
  )
  for (const [kind, name] of [['main_theme', 'theme'] as const]) {
    const theme = objectOf(report[kind])
    const slug = textIn(theme['slug'])
    if (slug !== undefined) yield* partOf(place, name, slug, theme)
  }
  for (const [list, kind] of [
    ['plugins', 'plugin'],
    ['themes', 'theme'],
  ] as const)
    for (const [slug, found] of Object.entries(objectOf(report[list])))
      yield* partOf(place, kind, slug, objectOf(found))
  for (const finding of listOf(report['interesting_findings']).map(objectOf)) yield* interesting(place, finding, url)
  for (const list of ['config_backups', 'db_exports']) {
    for (const address of Object.keys(objectOf(report[list]))) {
      yield webPathSighting({ url: address })
      yield vulnerabilitySighting({
        ...place,
        tool: 'wpscan',
        ruleId: list,
        location: address,
        title: LISTS[list],
        severity: 'high',
      })
    }
  }
  const users = Object.keys(objectOf(report['users']))
  if (users.length > 0)
    yield vulnerabilitySighting({
      ...place,
      tool: 'wpscan',
      ruleId: 'users',
      location: url.href,
      title: 'Users can be listed',
      severity: 'info',
      evidence: [users.join('\n')],
    })
}

const LISTS: Record<string, string> = {
  config_backups: 'Backup of the configuration',
  db_exports: 'Export of the database',
}

const partOf = (place: Site, kind: string, slug: string, found: Fields): Generator<Sighting> =>
  part(
    place,
    `WordPress ${kind} ${slug}`,
    `${kind}/${slug}`,
    found,
    textIn(found['location']),
    textIn(objectOf(found['version'])['number']),
  )

function* part(
  place: Site,
  name: string,
  id: string,
  found: Fields,
  location: string | undefined,
  version: string | undefined,
): Generator<Sighting> {
  if (Object.keys(found).length === 0) return
  yield technologySighting({
    asset: place.asset,
    host: place.host,
    askedName: place.askedName,
    address: place.address,
    port: place.port,
    name,
    version,
  })
  for (const vulnerability of listOf(found['vulnerabilities']).map(objectOf)) {
    const references = objectOf(vulnerability['references'])
    const score = cleanNumber(objectOf(vulnerability['cvss'])['score'])
    const fixedIn = textIn(vulnerability['fixed_in'])
    const known = listOf(references['wpvulndb']).map((each) => textIn(each) ?? '')
    yield vulnerabilitySighting({
      ...place,
      tool: 'wpscan',
      ruleId: known[0] || textIn(vulnerability['title']),
      matcher: id,
      location,
      title: vulnerability['title'],
      severity: score === undefined ? null : severityOfScore(score),
      description: version === undefined ? undefined : `${name} ${version} was found.`,
      solution: fixedIn && `Update ${name} to ${fixedIn} or later.`,
      references: [
        ...listOf(references['url']),
        ...known.filter(Boolean).map((each) => `https://wpscan.com/vulnerability/${each}`),
      ],
      cve: listOf(references['cve']).map((each) => `CVE-${(textIn(each) ?? '').replace(/^CVE-/i, '')}`),
      cvssScore: score,
      cvssVector: objectOf(vulnerability['cvss'])['vector'],
    })
  }
}

function* interesting(place: Site, finding: Fields, target: URL): Generator<Sighting> {
  const at = canonicalUrl(textIn(finding['url']) ?? '')
  if (at && at.href !== target.href) yield webPathSighting({ url: at.href })
  const references = Object.values(objectOf(finding['references'])).flatMap(listOf)
  yield vulnerabilitySighting({
    ...place,
    tool: 'wpscan',
    ruleId: finding['type'],
    location: at?.href ?? target.href,
    title: textIn(finding['to_s']) ?? finding['type'],
    severity: 'info',
    confidence: finding['confidence'],
    references,
    evidence: listOf(finding['interesting_entries']),
  })
}
