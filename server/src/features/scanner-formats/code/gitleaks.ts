import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { type Fields, listOf, recordItems, textIn } from '../readers/records.ts'
import type { Format, Head } from '../registry/format.ts'

/** JSON of gitleaks. The secret itself is not stored, only the line around it as gitleaks shows it. */
export const gitleaks: Format = {
  id: 'gitleaks',
  name: 'gitleaks JSON',
  recognisedBy: 'rows with RuleID, File and Secret or Match',
  knowsCoverage: false,
  statedTimes: () => ({}),
  isIn: (head) =>
    head.shape === 'json' &&
    ((head.keys.has('RuleID') && head.keys.has('File') && (head.keys.has('Secret') || head.keys.has('Match'))) ||
      isOld(head)),
  read: (text, head) =>
    isOld(head) ? recordItems(text, (row) => rowSightings(renamed(row))) : recordItems(text, rowSightings, FIELDS),
}

/** Versions before 8. */
const isOld = (head: Head): boolean =>
  head.shape === 'json' && ['offender', 'rule', 'file', 'commit'].every((key) => head.keys.has(key))

/** The fields of versions before 8 under the names of later ones. */
const renamed = (row: Fields): Fields => ({
  RuleID: row['rule'],
  Description: row['rule'],
  File: row['file'],
  StartLine: row['lineNumber'],
  Secret: row['offender'],
  Match: row['line'],
  Commit: row['commit'],
  Author: row['author'],
  Email: row['email'],
  Date: row['date'],
})

const FIELDS = new Set(
  `Description RuleID StartLine EndLine StartColumn EndColumn Match Secret File SymlinkFile Commit Entropy Author Email Date Message Tags Fingerprint
  Link Line Attributes`.split(/\s+/),
)

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
    references: [row['Link']],
    more: { tags: listOf(row['Tags']) },
    evidence: [
      secret !== undefined && secret.length > 3 ? match?.replaceAll(secret, `${secret.slice(0, 3)}…`) : match,
      ['Commit', 'Author', 'Email', 'Date']
        .flatMap((name) => (textIn(row[name]) === undefined ? [] : [`${name}: ${textIn(row[name])}`]))
        .join('\n'),
    ],
  })
}
