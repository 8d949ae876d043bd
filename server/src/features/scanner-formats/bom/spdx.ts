import { componentSighting } from '../../inventory/sightings/finding-sightings.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { documentParts } from '../readers/document-parts.ts'
import { type Fields, itemsOf, listOf, objectOf, textIn } from '../readers/records.ts'
import type { Format, Item } from '../registry/format.ts'

/** SPDX 2.2 and 2.3 in JSON. Its packages are the components that CycloneDX would state. */
export const spdx: Format = {
  id: 'spdx',
  name: 'SPDX 2.2 and 2.3 JSON',
  recognisedBy: 'JSON with spdxVersion',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/"created"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g] }),
  isIn: (head) =>
    head.shape === 'json' && (head.keys.has('spdxVersion') || (head.keys.has('SPDXID') && head.keys.has('packages'))),
  read: readSpdx,
}

async function* readSpdx(text: AsyncIterable<string>): AsyncGenerator<Item> {
  for await (const part of documentParts(text, ['packages.*', 'creationInfo'])) {
    if (part.type === 'cut') yield part
    else if (part.path === 'creationInfo') yield* toolIn(objectOf(part.value))
    else yield* itemsOf(part.position, objectOf(part.value), packageSightings)
  }
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

function* packageSightings(found: Fields): Generator<Sighting> {
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
  })
}
