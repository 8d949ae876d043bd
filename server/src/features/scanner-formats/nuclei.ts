import type { Coverage } from '../inventory/coverage/coverage.ts'
import { canonicalAddress, canonicalPort, canonicalUrl } from '../inventory/sightings/canonical.ts'
import { cleanLines, cleanNumber, listText } from '../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../inventory/sightings/finding-sightings.ts'
import { Limited } from '../inventory/sightings/left-out.ts'
import { severityOf } from '../inventory/sightings/severities.ts'
import { type Sighting, InvalidSighting } from '../inventory/sightings/sightings.ts'
import { type FindingLocation, placeOf } from './fields/places.ts'
import { probeIn } from './fields/probes.ts'
import { ROW_TIMES } from './fields/stated-times.ts'
import { type Fields, objectOf, recordItems, textIn, wordsIn } from './readers/records.ts'
import type { Format, Item } from './registry/format.ts'

/**
 * JSON rows of nuclei, with keys of versions 2 and 3. A row with `matcher-status: false` reports a check without a
 * match.
 */
export const nuclei: Format = {
  id: 'nuclei',
  name: 'nuclei JSON and JSON lines',
  recognisedBy: 'rows with template-id or templateID, or with info and type',
  knowsCoverage: true,
  statedTimes: () => ({ patterns: [ROW_TIMES] }),
  isIn: (head) =>
    head.shape === 'json' &&
    (head.keys.has('template-id') ||
      head.keys.has('templateID') ||
      (head.keys.has('info') && head.keys.has('type') && head.keys.has('info.name')) ||
      STATISTICS.every((key) => head.keys.has(key))),
  read: (text) => recordItems(text, rowItems, FIELDS),
}

/** Every field of `ResultEvent` (`pkg/output/output.go`), those of version 2, and of progress rows (`-stats-json`). */
const FIELDS = new Set(
  `template template-url template-id template-path template-encoded info matcher-name extractor-name type host port scheme url path matched-at
  extracted-results request response meta ip timestamp interaction curl-command matcher-status matched-line global-matchers issue_trackers
  req_url_pattern is_fuzzing_result fuzzing_method fuzzing_parameter fuzzing_position analyzer_details error templateID matched matcher_name
  extracted_results duration errors hosts percent requests rps startedAt templates total`.split(/\s+/),
)

function* rowItems(row: Fields): Generator<Sighting | Item> {
  if (isStatistics(row)) return
  const info = objectOf(row['info'])
  const ruleId = textIn(row['template-id']) ?? textIn(row['templateID']) ?? textIn(info['name'])
  if (ruleId === undefined) throw new InvalidSighting('the row has neither template id nor name')
  if (row['matcher-status'] === false) {
    const coverage = checkedIn(row, ruleId)
    if (coverage) yield { type: 'coverage', coverage }
    const asked = placeIn(row, ASKED, canonicalPort(row['port']))
    // DNS checks send their queries to name servers.
    if (row['type'] !== 'dns') yield* probeIn(row, { host: asked?.host, address: textIn(row['ip']), port: asked?.port })
    return
  }
  const found = row['type'] === 'file' ? undefined : placeIn(row, [...MATCHED, 'host', 'url', 'ip'])
  const place = found ?? nowhere(row, ruleId)
  const matcher = textIn(row['matcher-name']) ?? textIn(row['matcher_name'])
  const fuzzed = fuzzedIn(row)
  const classification = objectOf(info['classification'])
  yield vulnerabilitySighting({
    tool: 'nuclei',
    ruleId,
    ...place,
    address: canonicalAddress(textIn(row['ip']) ?? ''),
    // The fuzzed parameter distinguishes findings of one template at one URL.
    matcher: [matcher, fuzzed].filter(Boolean).join(' '),
    formerly: fuzzed === undefined ? [] : [{ location: place.location, matcher }],
    title: info['name'] ?? ruleId,
    severity: severityOf(info['severity']),
    severityWord: info['severity'],
    description: info['description'],
    solution: info['remediation'],
    references: Array.isArray(info['reference']) ? info['reference'] : referencesIn(info['reference']),
    cve: classification['cve-id'],
    cwe: classification['cwe-id'],
    cvssVector: classification['cvss-metrics'],
    cvssScore: cleanNumber(classification['cvss-score']),
    impact: info['impact'],
    request: row['request'],
    response: row['response'],
    exchanges: exchangesIn(row),
    evidence: evidenceIn(row),
    more: factsIn(row, info, classification),
  })
}

/** The request that matched, and what came back out of band. */
const exchangesIn = (row: Fields) => {
  const interaction = objectOf(row['interaction'])
  return [
    { request: row['request'], response: row['response'] },
    { request: interaction['raw-request'], response: interaction['raw-response'] },
  ].filter(({ request, response }) => textIn(request) !== undefined || textIn(response) !== undefined)
}

const evidenceIn = (row: Fields): (string | undefined)[] => {
  const extractor = textIn(row['extractor-name'])
  const extracted = row['extracted-results'] ?? row['extracted_results']
  const results = typeof extracted === 'string' ? listText(extracted).split(',') : wordsIn(extracted)
  const lines = wordsIn(row['matched-line']).join(', ')
  return [
    ...results.map((result) => (extractor === undefined ? result : `${extractor}: ${result}`)),
    textIn(row['fuzzing_parameter']) && `parameter ${textIn(row['fuzzing_parameter'])}`,
    lines === '' ? undefined : `lines ${lines}`,
    textIn(row['analyzer_details']),
    // Values with which the template had success, such as credentials.
    Object.entries(objectOf(row['meta']))
      .map(([name, value]) => `${name}: ${wordsIn([value]).join()}`)
      .join('\n'),
  ]
}

const factsIn = (row: Fields, info: Fields, classification: Fields) => {
  const interaction = objectOf(row['interaction'])
  const from = [interaction['protocol'], interaction['remote-address'], interaction['timestamp']]
    .map(textIn)
    .filter(Boolean)
  return {
    curl: row['curl-command'],
    interaction: from.length === 0 ? undefined : from.join(' from ').replace(/ from (?=\d{4}-)/, ' at '),
    template: textIn(row['template']) ?? row['template-path'],
    templateUrl: row['template-url'],
    parameter: row['fuzzing_parameter'],
    position: row['fuzzing_position'],
    tags: cleanLines(info['tags']),
    epss: cleanNumber(classification['epss-score']),
    cpe: classification['cpe'],
  }
}

/** Progress rows among the findings (`-stats-json`). */
const isStatistics = (row: Fields): boolean => STATISTICS.every((key) => key in row)
const STATISTICS = ['duration', 'requests', 'templates']

/** Old versions write a list as text, with a dash before each entry. */
const referencesIn = (value: unknown): Limited<string[]> => {
  const { list, leftOut } = cleanLines(value, /\s+/)
  return new Limited(
    list.filter((word) => word !== '-'),
    leftOut,
  )
}

/** `q in body`, for a finding by fuzzing. */
const fuzzedIn = (row: Fields): string | undefined => {
  const [parameter, position] = [textIn(row['fuzzing_parameter']), textIn(row['fuzzing_position'])]
  if (parameter === undefined) return undefined
  return position === undefined ? parameter : `${parameter} in ${position}`
}

/** Findings of code, file and cloud templates have no host. */
const nowhere = (row: Fields, ruleId: string): Pick<FindingLocation, 'asset' | 'location'> => {
  const written =
    [...MATCHED, 'path', 'host', 'url'].map((key) => textIn(row[key])).find((text) => text !== undefined) ?? ruleId
  return { asset: written, location: written }
}

const MATCHED = ['matched-at', 'matched']
const ASKED = ['url', 'host', 'ip']

/** Returns the first of these fields that is a place. */
const placeIn = (row: Fields, keys: readonly string[], port?: number): FindingLocation | undefined => {
  const protocol = row['type'] === 'dns' ? undefined : 'tcp'
  for (const key of keys) {
    const written = textIn(row[key])
    const place = written === undefined ? undefined : placeOf(written, port, protocol)
    if (place) return place
  }
  return undefined
}

/**
 * Returns the coverage of a check without a match. `matched-at` is usually empty then, so only the requested address is
 * known.
 */
const checkedIn = (row: Fields, ruleId: string): Coverage | undefined => {
  const exact = placeIn(row, MATCHED)
  if (exact?.host !== undefined) return { what: 'rule', host: exact.host, ruleId, location: exact.location }
  const place = placeIn(row, ASKED, canonicalPort(row['port']))
  if (place?.host === undefined) return undefined
  const path = canonicalUrl(place.location)?.pathname ?? '/'
  return {
    what: 'rule',
    host: place.host,
    ruleId,
    ports: portsOf(row, place.port),
    beneath: path === '/' ? null : place.location,
  }
}

const WEB_PORTS = new Map(Object.entries({ https: [443], http: [80] }))

/** A bare host is requested over HTTP at both default ports, unless the row has a scheme. DNS findings have no port. */
const portsOf = (row: Fields, port: number | undefined): readonly number[] | null => {
  if (row['type'] === 'dns') return null
  if (port !== undefined) return [port]
  return row['type'] === 'http' ? (WEB_PORTS.get(textIn(row['scheme']) ?? '') ?? [443, 80]) : null
}
