import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { severityOf } from '../../inventory/sightings/severities.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { type Fields, listOf, objectOf, recordItems, textIn, wordsIn } from '../readers/records.ts'
import type { Format, Item } from '../registry/format.ts'

/** OCSF JSON of Prowler (`-M json-ocsf`). Its findings are those of its CSV. A check that passed is not a finding. */
export const prowler: Format = {
  id: 'prowler',
  name: 'Prowler OCSF JSON',
  recognisedBy: 'rows with finding_info, status_code and class_uid',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/"time_dt"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g] }),
  isIn: (head) =>
    head.shape === 'json' &&
    head.keys.has('finding_info') &&
    (head.keys.has('class_uid') || head.keys.has('status_code')),
  read: readProwler,
}

async function* readProwler(text: AsyncIterable<string>): AsyncGenerator<Item> {
  const counts = new Map<string, number>()
  let version: string | undefined
  yield* recordItems(text, function* (row): Generator<Sighting | Item> {
    const stated = textIn(objectOf(objectOf(row['metadata'])['product'])['version'])
    if (stated !== version) yield { type: 'tool', version: (version = stated) }
    const status = (textIn(row['status_code']) ?? 'FAIL').toUpperCase()
    if (status !== 'FAIL') counts.set(status, (counts.get(status) ?? 0) + 1)
    if (status === 'FAIL' || status === 'PASS') yield* rowSightings(row, status === 'PASS')
  })
  for (const [status, count] of counts) {
    const what =
      status === 'PASS'
        ? 'Checks that passed and are not findings'
        : `Checks with the status ${status.slice(0, 40)}, which are not findings`
    yield { type: 'warning', text: `${what}: ${count}.` }
  }
}

function* rowSightings(row: Fields, passed: boolean): Generator<Sighting> {
  const [info, metadata, cloud] = [objectOf(row['finding_info']), objectOf(row['metadata']), objectOf(row['cloud'])]
  const tool = (textIn(objectOf(metadata['product'])['name']) ?? 'prowler').toLowerCase()
  const unmapped = objectOf(row['unmapped'])
  const resources = listOf(row['resources']).map(objectOf)
  const account = textIn(objectOf(cloud['account'])['uid'])
  for (const resource of resources.length === 0 ? [{}] : resources) {
    const asset = textIn(resource['uid']) ?? textIn(resource['name']) ?? account ?? 'the account'
    yield vulnerabilitySighting({
      tool,
      ruleId: metadata['event_code'] ?? info['uid'],
      asset,
      location: asset,
      passed,
      title: info['title'],
      severity: passed ? null : severityOf(row['severity']),
      severityWord: row['severity'],
      disposition: row['status'] === 'Suppressed' ? 'accepted' : null,
      description: [textIn(row['status_detail']), textIn(info['desc'])].filter(Boolean).join('\n\n'),
      impact: row['risk_details'],
      solution: objectOf(row['remediation'])['desc'],
      references: listOf(objectOf(row['remediation'])['references']),
      evidence: [placeIn(resource, cloud, account), compliance(unmapped['compliance'])],
    })
  }
}

const placeIn = (resource: Fields, cloud: Fields, account: string | undefined): string =>
  [
    ['Provider', cloud['provider']],
    ['Account', account],
    ['Region', resource['region'] ?? cloud['region']],
    ['Type', resource['type']],
  ]
    .flatMap(([name, value]) => (textIn(value) === undefined ? [] : [`${String(name)}: ${textIn(value)}`]))
    .join('\n')

/** `{"CIS-1.5": ["1.1"]}` */
const compliance = (value: unknown): string =>
  Object.entries(objectOf(value))
    .map(([standard, requirements]) => `${standard}: ${wordsIn(requirements).join(', ')}`)
    .join('\n')
