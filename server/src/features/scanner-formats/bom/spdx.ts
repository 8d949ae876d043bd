import { componentSighting } from '../../inventory/sightings/finding-sightings.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { documentParts } from '../readers/document-parts.ts'
import { type Fields, itemsOf, listOf, objectOf, textIn, UnknownFields } from '../readers/records.ts'
import type { Format, Item, ReadOptions } from '../registry/format.ts'

/** SPDX 2.2 and 2.3 in JSON. Its packages are the components that CycloneDX would state. */
export const spdx: Format = {
  id: 'spdx',
  name: 'SPDX 2.2 and 2.3 JSON',
  recognisedBy: 'JSON with spdxVersion',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/"created"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g] }),
  isIn: (head) =>
    head.shape === 'json' && (head.keys.has('spdxVersion') || (head.keys.has('SPDXID') && head.keys.has('packages'))),
  read: (text, _, options) => readSpdx(text, options),
}

/** Of a package: what is read, and what says nothing about its security. */
const FIELDS = new Set(
  `SPDXID name versionInfo packageFileName supplier originator downloadLocation filesAnalyzed packageVerificationCode checksums homepage
  sourceInfo licenseConcluded licenseInfoFromFiles licenseDeclared licenseComments copyrightText summary description comment externalRefs
  attributionTexts primaryPackagePurpose releaseDate builtDate validUntilDate hasFiles`.split(/\s+/),
)

const MAX_DEPENDENCIES = 1_000_000

/** The relationships come after the packages, so the file is read twice. */
async function* readSpdx(text: AsyncIterable<string>, { again }: ReadOptions): AsyncGenerator<Item> {
  const { dependentsOf, leftOut } = await dependenciesIn(again())
  const unknown = new UnknownFields(FIELDS)
  for await (const part of documentParts(text, ['packages.*', 'creationInfo'])) {
    if (part.type === 'cut') yield part
    else if (part.path === 'creationInfo') yield* toolIn(objectOf(part.value))
    else {
      const found = objectOf(part.value)
      unknown.count(found)
      yield* itemsOf(part.position, found, () => packageSightings(found, dependentsOf(textIn(found['SPDXID']) ?? '')))
    }
  }
  if (leftOut > 0)
    yield { type: 'warning', text: `Dependencies above ${MAX_DEPENDENCIES}, which were left out: ${leftOut}.` }
  yield* unknown.warnings()
}

interface Dependencies {
  /** Names of the packages that depend on one directly. */
  dependentsOf: (id: string) => string[]
  leftOut: number
}

const dependenciesIn = async (text: AsyncIterable<string>): Promise<Dependencies> => {
  const names = new Map<string, string>()
  const dependents = new Map<string, string[]>()
  let count = 0
  for await (const part of documentParts(text, ['packages.*', 'relationships.*'])) {
    if (part.type === 'cut') continue
    const fields = objectOf(part.value)
    if (part.path === 'packages.*') {
      const name = [textIn(fields['name']), known(fields['versionInfo'])].filter(Boolean).join(' ')
      names.set(textIn(fields['SPDXID']) ?? '', name)
      continue
    }
    const [dependent, dependency] = endsOf(fields)
    if (dependent === undefined || dependency === undefined || ++count > MAX_DEPENDENCIES) continue
    const others = dependents.get(dependency)
    if (others) others.push(dependent)
    else dependents.set(dependency, [dependent])
  }
  return {
    dependentsOf: (id) => (dependents.get(id) ?? []).map((each) => names.get(each) ?? each),
    leftOut: Math.max(0, count - MAX_DEPENDENCIES),
  }
}

/** @returns what depends on what; nothing for a relationship of another kind */
const endsOf = (relationship: Fields): [dependent?: string | undefined, dependency?: string | undefined] => {
  const ends = [textIn(relationship['spdxElementId']), textIn(relationship['relatedSpdxElement'])] as const
  const type = textIn(relationship['relationshipType']) ?? ''
  if (type === 'DEPENDS_ON') return [...ends]
  // Also `DEV_DEPENDENCY_OF` and its like.
  return type.endsWith('DEPENDENCY_OF') ? [ends[1], ends[0]] : []
}

/** `Tool: syft-1.0.0` */
function* toolIn(info: Fields): Generator<Item> {
  const [, name, version] =
    /^Tool: (.{1,80}?)(?:-(\d[\w.+-]{0,40}))?$/.exec(
      listOf(info['creators'])
        .map(String)
        .find((creator) => creator.startsWith('Tool: ')) ?? '',
    ) ?? []
  if (name !== undefined) yield { type: 'tool', name, version }
}

/** SPDX's words for a value that is not known. */
const known = (value: unknown): string | undefined => {
  const text = textIn(value)
  return text === 'NOASSERTION' || text === 'NONE' ? undefined : text
}

function* packageSightings(found: Fields, dependents: readonly string[]): Generator<Sighting> {
  const references = listOf(found['externalRefs']).map(objectOf)
  const locators = (type: RegExp) =>
    references
      .filter(({ referenceType }) => type.test(textIn(referenceType) ?? ''))
      .map(({ referenceLocator }) => referenceLocator)
  yield componentSighting({
    purl: locators(/^purl$/)[0],
    name: found['name'],
    version: known(found['versionInfo']),
    licenses: [known(found['licenseConcluded']) ?? known(found['licenseDeclared'])],
    componentType: textIn(found['primaryPackagePurpose'])?.toLowerCase(),
    supplier: known(found['supplier'])?.replace(/^(?:Organization|Person): /, ''),
    cpe: locators(/^cpe2[23]Type$/),
    hashes: listOf(found['checksums'])
      .map(objectOf)
      .map(({ algorithm, checksumValue }) => `${textIn(algorithm) ?? ''}: ${textIn(checksumValue) ?? ''}`),
    more: { dependents },
  })
}
