import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { componentSighting, vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { severityOf } from '../../inventory/sightings/severities.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { documentParts } from '../readers/document-parts.ts'
import { type Fields, itemsOf, listOf, objectOf, textIn, UnknownFields, wordsIn } from '../readers/records.ts'
import type { Format, Item } from '../registry/format.ts'

/** JSON of Grype (`-o json`). */
export const grype: Format = {
  id: 'grype',
  name: 'Grype JSON',
  recognisedBy: 'JSON with matches, and source or descriptor',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/"timestamp"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g] }),
  isIn: (head) =>
    head.shape === 'json' && head.keys.has('matches') && (head.keys.has('source') || head.keys.has('descriptor')),
  read: readGrype,
}

const FIELDS = new Set(['vulnerability', 'relatedVulnerabilities', 'matchDetails', 'artifact'])

async function* readGrype(text: AsyncIterable<string>): AsyncGenerator<Item> {
  let ignored = 0
  const unknown = new UnknownFields(FIELDS)
  for await (const part of documentParts(text, ['matches.*', 'ignoredMatches.*', 'descriptor'])) {
    if (part.type === 'cut') yield part
    else if (part.path === 'descriptor') yield { type: 'tool', version: textIn(objectOf(part.value)['version']) }
    else if (part.path === 'ignoredMatches.*') ignored++
    else {
      const match = objectOf(part.value)
      unknown.count(match)
      yield* itemsOf(part.position, match, matchSightings)
    }
  }
  yield* unknown.warnings()
  if (ignored > 0)
    yield { type: 'warning', text: `Matches that rules of Grype ignore, which are not imported: ${ignored}.` }
}

function* matchSightings(match: Fields): Generator<Sighting> {
  const [vulnerability, artifact] = [objectOf(match['vulnerability']), objectOf(match['artifact'])]
  const component = componentSighting({
    purl: artifact['purl'],
    name: artifact['name'],
    version: artifact['version'],
    licenses: listOf(artifact['licenses']).map((license) => textIn(license) ?? objectOf(license)['value']),
    cpe: listOf(artifact['cpes']).map((cpe) => textIn(cpe) ?? objectOf(cpe)['cpe']),
  })
  yield component
  const related = listOf(match['relatedVulnerabilities']).map(objectOf)
  const cvss = [vulnerability, ...related].flatMap((each) => listOf(each['cvss']).map(objectOf))
  const [best] = cvss.toSorted((a, b) => String(b['version']).localeCompare(String(a['version'])))
  const fix = objectOf(vulnerability['fix'])
  const versions = wordsIn(fix['versions']).join(', ')
  yield vulnerabilitySighting({
    tool: 'grype',
    ruleId: vulnerability['id'],
    asset: component.asset,
    title: vulnerability['id'],
    severity: severityOf(vulnerability['severity']),
    severityWord: vulnerability['severity'],
    description:
      textIn(vulnerability['description']) ??
      related.map((each) => textIn(each['description'])).find((text) => text !== undefined),
    solution: versions === '' ? undefined : `Update ${component.title.split(' ')[0]} to ${versions}.`,
    references: [vulnerability['dataSource'], ...listOf(vulnerability['urls'])],
    cve: [vulnerability['id'], ...related.map(({ id }) => id)].filter((id) => typeof id === 'string'),
    cvssVector: best?.['vector'],
    cvssScore: cleanNumber(objectOf(best?.['metrics'])['baseScore']),
    more: { epss: cleanNumber(objectOf(listOf(vulnerability['epss'])[0])['epss']) },
    evidence: listOf(artifact['locations']).map((location) => objectOf(location)['path']),
  })
}
