import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { type Fields, recordItems, textIn } from '../readers/records.ts'
import type { Format } from '../registry/format.ts'

/** JSON of gitleaks. The secret itself is not stored, only the line around it as gitleaks shows it. */
export const gitleaks: Format = {
  id: 'gitleaks',
  name: 'gitleaks JSON',
  recognisedBy: 'rows with RuleID, File and Secret or Match',
  knowsCoverage: false,
  statedTimes: () => ({}),
  isIn: (head) =>
    head.shape === 'json' &&
    head.keys.has('RuleID') &&
    head.keys.has('File') &&
    (head.keys.has('Secret') || head.keys.has('Match')),
  read: (text) => recordItems(text, rowSightings),
}

function* rowSightings(row: Fields): Generator<Sighting> {
  const file = textIn(row['File']) ?? '(no file)'
  const secret = textIn(row['Secret'])
  const match = textIn(row['Match'])
  const fingerprint = textIn(row['Fingerprint'])
  yield vulnerabilitySighting({
    tool: 'gitleaks',
    ruleId: row['RuleID'],
    asset: file,
    ...(fingerprint !== undefined && { discriminators: [fingerprint] }),
    location: [file, cleanNumber(row['StartLine'])].filter((part) => part !== undefined).join(':'),
    title: textIn(row['Description']) ?? row['RuleID'],
    severity: null,
    evidence: [
      secret !== undefined && secret.length > 3 ? match?.replaceAll(secret, `${secret.slice(0, 3)}…`) : match,
      ['Commit', 'Author', 'Email', 'Date']
        .flatMap((name) => (textIn(row[name]) === undefined ? [] : [`${name}: ${textIn(row[name])}`]))
        .join('\n'),
    ],
  })
}
