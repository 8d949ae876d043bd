import { readDocument } from '../readers/json-document.ts'
import { type Fields, listOf, objectOf, textIn, UnknownFields } from '../readers/records.ts'
import { childOf, childrenOf, type Element, fieldsIn, readXml } from '../readers/xml.ts'
import type { Format, Item, ReadOptions } from '../registry/format.ts'
import { BillOfMaterials } from './cyclonedx-bom.ts'
import { componentFields, dependencyFields, serviceFields, toolFields, vulnerabilityFields } from './cyclonedx-xml.ts'

const ENTERED = new Set(['', 'components', 'services', 'vulnerabilities', 'metadata'])
const WHOLE = new Set(['components.*', 'services.*', 'vulnerabilities.*', 'metadata.component', 'metadata.tools'])

/** CycloneDX, JSON and XML, of every version so far. */
export const cyclonedx: Format = {
  id: 'cyclonedx',
  name: 'CycloneDX, JSON and XML',
  recognisedBy: 'JSON with bomFormat; XML whose root is bom, in a namespace of cyclonedx.org',
  knowsCoverage: false,
  // The time of the file itself; if it is not the first entry of the metadata, the earliest time in the file.
  statedTimes: () => ({
    patterns: [
      /"metadata"\s{0,20}:\s{0,20}\{\s{0,20}"timestamp"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g,
      /<metadata>\s{0,20}<timestamp>([^<]{1,40})</g,
      /"timestamp"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g,
    ],
  }),
  isIn: (head) =>
    (head.shape === 'json' && head.keys.has('bomFormat')) ||
    (head.shape === 'xml' &&
      head.root === 'bom' &&
      Object.values(head.attributes).some((value) => value.startsWith('http://cyclonedx.org/schema/bom/'))),
  read: (text, head, options) => (head.shape === 'xml' ? readXmlBom(text, options) : readJsonBom(text, options)),
}

/** Of a component: what is read, and what says nothing about its security. */
const OF_COMPONENT = new Set(
  `bom-ref type mime-type group name version versionRange isExternal purl cpe scope supplier manufacturer publisher author authors
  copyright description hashes properties licenses cryptoProperties modelCard components vulnerabilities externalReferences omniborId
  swhid swid modified signature tags`.split(/\s+/),
)
/** Of a vulnerability. `rejected` and proofs of concept are named in a warning. */
const OF_VULNERABILITY = new Set(
  `bom-ref id source references ratings cwes description detail recommendation workaround advisories created published updated credits
  tools analysis affects properties recommendations`.split(/\s+/),
)

/** A component and those nested in it. */
function* withNested(component: Fields): Generator<Fields> {
  yield component
  for (const inner of listOf(component['components'])) yield* withNested(objectOf(inner))
}

/** The same of the XML form. */
function* withNestedElements(component: Element): Generator<Element> {
  yield component
  for (const inner of childrenOf(childOf(component, 'components'), 'component')) yield* withNestedElements(inner)
}

/** A file may hold several bills in a row; references are those of one bill. */
async function* readJsonBom(text: AsyncIterable<string>, { again }: ReadOptions): AsyncGenerator<Item> {
  const dependencies = await dependenciesIn(again())
  const [unknown, unknownOfFindings] = [new UnknownFields(OF_COMPONENT), new UnknownFields(OF_VULNERABILITY)]
  let bom = new BillOfMaterials()
  let index = -1
  for await (const event of readDocument(text, (path) =>
    ENTERED.has(path) ? 'enter' : WHOLE.has(path) ? 'whole' : 'skip',
  )) {
    if (event.type === 'error') yield { type: 'cut', reason: `line ${event.line}: ${event.reason}` }
    else if (event.type === 'open' && event.path === '') {
      yield* bom.finish()
      bom = new BillOfMaterials()
      for (const dependency of dependencies[++index] ?? []) bom.noteDependency(dependency)
    } else if (event.type === 'value') {
      const position = `line ${event.line}`
      const value = objectOf(event.value)
      if (event.path === 'metadata.tools') yield* toolItems(event.value)
      else if (event.path === 'metadata.component') bom.noteSubject(value)
      else if (event.path === 'components.*') {
        for (const component of withNested(value)) unknown.count(component)
        yield* bom.componentItems(position, value)
      } else if (event.path === 'services.*') yield* bom.serviceItems(position, value)
      else if (event.path === 'vulnerabilities.*') {
        unknownOfFindings.count(value)
        bom.noteVulnerability(position, value)
      }
    }
  }
  yield* bom.finish()
  yield* unknown.warnings()
  yield* unknownOfFindings.warnings()
}

/** The dependencies of each document, which come after its components. */
const dependenciesIn = async (text: AsyncIterable<string>): Promise<Fields[][]> => {
  const documents: Fields[][] = []
  for await (const event of readDocument(text, (path) =>
    path === 'dependencies.*' ? 'whole' : path === '' || path === 'dependencies' ? 'enter' : 'skip',
  )) {
    if (event.type === 'open' && event.path === '') documents.push([])
    else if (event.type === 'value' && event.path === 'dependencies.*') documents.at(-1)?.push(objectOf(event.value))
  }
  return documents
}

/** The first tool that made the file: an entry of a list, or from 1.5 on a component. */
function* toolItems(tools: unknown): Generator<Item> {
  const { name, version } = objectOf(listOf(Array.isArray(tools) ? tools : objectOf(tools)['components'])[0])
  if (textIn(name) !== undefined) yield { type: 'tool', name: textIn(name), version: textIn(version) }
}

/** Before 1.4, vulnerabilities come next to the components or inside them, in their own namespace. */
async function* readXmlBom(text: AsyncIterable<string>, { again }: ReadOptions): AsyncGenerator<Item> {
  const dependencies: Fields[][] = []
  for await (const event of readXml(again(), (path) => path === 'bom/dependencies/dependency')) {
    if (event.type === 'open' && event.path === 'bom') dependencies.push([])
    else if (event.type === 'element') dependencies.at(-1)?.push(dependencyFields(event.element))
  }
  const [unknown, unknownOfFindings] = [new UnknownFields(OF_COMPONENT), new UnknownFields(OF_VULNERABILITY)]
  let bom = new BillOfMaterials()
  let index = -1
  const whole = new Set([
    'bom/metadata/tools',
    'bom/metadata/component',
    'bom/components/component',
    'bom/services/service',
    'bom/vulnerabilities/vulnerability',
  ])
  for await (const event of readXml(text, (path) => whole.has(path))) {
    if (event.type === 'error') yield { type: 'cut', reason: event.reason }
    else if (event.type === 'open' && event.path === 'bom') {
      yield* bom.finish()
      bom = new BillOfMaterials()
      for (const dependency of dependencies[++index] ?? []) bom.noteDependency(dependency)
    } else if (event.type === 'element') {
      const position = `line ${event.element.line}`
      if (event.path === 'bom/metadata/tools') yield* toolItems(toolFields(event.element))
      else if (event.path === 'bom/metadata/component') bom.noteSubject(componentFields(event.element))
      else if (event.path === 'bom/components/component') {
        for (const component of withNestedElements(event.element)) unknown.count(fieldsIn(component))
        yield* bom.componentItems(position, componentFields(event.element))
      } else if (event.path === 'bom/services/service') yield* bom.serviceItems(position, serviceFields(event.element))
      else {
        unknownOfFindings.count(fieldsIn(event.element))
        bom.noteVulnerability(position, vulnerabilityFields(event.element))
      }
    }
  }
  yield* bom.finish()
  yield* unknown.warnings()
  yield* unknownOfFindings.warnings()
}
