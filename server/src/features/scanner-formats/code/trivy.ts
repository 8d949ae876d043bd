import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { componentSighting, vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { severityOf } from '../../inventory/sightings/severities.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { documentParts } from '../readers/document-parts.ts'
import { type Fields, itemsOf, listOf, objectOf, textIn, UnknownFields } from '../readers/records.ts'
import type { Format, Head, Item } from '../registry/format.ts'

/** JSON of Trivy (`--format json`): packages, vulnerabilities, misconfigurations and secrets. */
export const trivy: Format = {
  id: 'trivy',
  name: 'Trivy JSON',
  recognisedBy: 'JSON with SchemaVersion and ArtifactName or Results',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/"CreatedAt"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g] }),
  isIn: (head) =>
    head.shape === 'json' &&
    ((head.keys.has('SchemaVersion') && (head.keys.has('ArtifactName') || head.keys.has('Results'))) ||
      isOld(head) ||
      (head.keys.has('ClusterName') && (head.keys.has('Resources') || head.keys.has('Findings')))),
  read: (text, head) => readTrivy(text, isOld(head)),
}

/** Before version 0.20 a report was a list of its results. */
const isOld = (head: Head): boolean =>
  head.shape === 'json' &&
  head.keys.has('Target') &&
  ['Vulnerabilities', 'Misconfigurations'].some((key) => head.keys.has(key))

/** Of an image or of files, and of each resource of a cluster (`trivy k8s`). */
const WHOLE = ['Results.*', 'Resources.*', 'Findings.*']

/** Every list of a result, and what describes it. */
const FIELDS = new Set(
  'Target Class Type Packages Vulnerabilities Misconfigurations MisconfSummary Secrets Licenses ExperimentalModifiedFindings'.split(
    ' ',
  ),
)

/** What Trivy reports and the import does not keep, with its name in a warning. */
const NOT_KEPT = [
  ['Licenses', 'Licences as findings'],
  ['ExperimentalModifiedFindings', 'Findings that an ignore file or VEX suppresses'],
] as const

async function* readTrivy(text: AsyncIterable<string>, isList: boolean): AsyncGenerator<Item> {
  let passed = 0
  const left = new Map<string, number>()
  const unknown = new UnknownFields(FIELDS)
  for await (const part of documentParts(text, isList ? ['*'] : WHOLE)) {
    if (part.type === 'cut') yield part
    else
      for (const result of resultsIn(part.path, objectOf(part.value))) {
        unknown.count(result)
        for (const [field, what] of NOT_KEPT) {
          const count = listOf(result[field]).length
          if (count > 0) left.set(what, (left.get(what) ?? 0) + count)
        }
        const target = textIn(result['Target']) ?? 'the artifact'
        passed += listOf(result['Misconfigurations']).filter((found) => objectOf(found)['Status'] === 'PASS').length
        for (const component of listOf(result['Packages']).map(objectOf))
          yield* itemsOf(part.position, component, () => [componentOf(component)])
        for (const found of listOf(result['Vulnerabilities']).map(objectOf))
          yield* itemsOf(part.position, found, () => vulnerability(found, target))
        for (const found of listOf(result['Misconfigurations']).map(objectOf))
          yield* itemsOf(part.position, found, () => [misconfiguration(found, target)])
        for (const found of listOf(result['Secrets']).map(objectOf))
          yield* itemsOf(part.position, found, () => [secret(found, target)])
      }
  }
  if (passed > 0) yield { type: 'warning', text: `Checks that passed and are not findings: ${passed}.` }
  for (const [what, count] of left) yield { type: 'warning', text: `${what}, which are not imported: ${count}.` }
  yield* unknown.warnings()
}

/** A resource of a cluster has results of its own; their targets are named after it. */
const resultsIn = (path: string, value: Fields): Fields[] => {
  if (path !== 'Resources.*' && path !== 'Findings.*') return [value]
  const name = [value['Namespace'], value['Kind'], value['Name']].map(textIn).filter(Boolean).join('/')
  return listOf(value['Results'])
    .map(objectOf)
    .map((result) => ({ ...result, Target: [name, textIn(result['Target'])].filter(Boolean).join(': ') }))
}

const purlIn = (found: Fields): unknown => objectOf(found['PkgIdentifier'] ?? found['Identifier'])['PURL']

const componentOf = (found: Fields): Sighting =>
  componentSighting({
    purl: purlIn(found),
    name: found['PkgName'] ?? found['Name'],
    version: found['InstalledVersion'] ?? found['Version'],
    licenses: listOf(found['Licenses']),
  })

function* vulnerability(found: Fields, target: string): Generator<Sighting> {
  const component = componentOf(found)
  yield component
  const fixed = textIn(found['FixedVersion'])
  const scores = Object.values(objectOf(found['CVSS'])).map(objectOf)
  const best =
    scores.find((score) => score['V40Score'] !== undefined) ??
    scores.find((score) => score['V3Score'] !== undefined) ??
    scores[0] ??
    {}
  yield vulnerabilitySighting({
    tool: 'trivy',
    ruleId: found['VulnerabilityID'],
    asset: component.asset,
    title: textIn(found['Title']) ?? found['VulnerabilityID'],
    severity: severityOf(found['Severity']),
    severityWord: found['Severity'],
    description: found['Description'],
    solution: fixed === undefined ? undefined : `Update ${textIn(found['PkgName']) ?? 'the package'} to ${fixed}.`,
    references: [found['PrimaryURL'], ...listOf(found['References'])],
    cve: found['VulnerabilityID'],
    cwe: listOf(found['CweIDs']),
    cvssVector: best['V40Vector'] ?? best['V3Vector'] ?? best['V2Vector'],
    cvssScore: cleanNumber(best['V40Score'] ?? best['V3Score'] ?? best['V2Score']),
    evidence: [[target, textIn(found['PkgPath'])].filter(Boolean).join(': ')],
  })
}

const misconfiguration = (found: Fields, target: string): Sighting => {
  const cause = objectOf(found['CauseMetadata'])
  const line = cleanNumber(cause['StartLine'])
  return vulnerabilitySighting({
    tool: 'trivy',
    ruleId: found['AVDID'] ?? found['ID'],
    asset: target,
    matcher: cause['Resource'],
    passed: found['Status'] === 'PASS',
    title: found['Title'],
    severity: severityOf(found['Severity']),
    severityWord: found['Severity'],
    description: [textIn(found['Message']), textIn(found['Description'])].filter(Boolean).join('\n\n'),
    solution: found['Resolution'],
    references: [found['PrimaryURL'], ...listOf(found['References'])],
    evidence: [line === undefined ? undefined : `${target}:${line}`, codeIn(cause['Code'])],
  })
}

const secret = (found: Fields, target: string): Sighting =>
  vulnerabilitySighting({
    tool: 'trivy',
    ruleId: found['RuleID'],
    asset: target,
    location: `${target}:${cleanNumber(found['StartLine']) ?? 0}`,
    title: found['Title'] ?? found['RuleID'],
    severity: severityOf(found['Severity']),
    severityWord: found['Severity'],
    evidence: [found['Match']],
  })

const codeIn = (code: unknown): string =>
  listOf(objectOf(code)['Lines'])
    .map((line) => textIn(objectOf(line)['Content']) ?? '')
    .join('\n')
