import { SEVERITIES, type Severity } from '@sortie/contract/core/values.ts'
import { severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { componentSighting, vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { severityOf, unknownSeverityIn } from '../../inventory/sightings/severities.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { TOOLS_OF_VEX, vexVerdict } from '../bom/vex.ts'
import { type Fields, itemsOf, listOf, objectOf, textIn, wordsIn } from '../readers/records.ts'
import type { Item } from '../registry/format.ts'

const MAX_VULNERABILITIES = 200_000

/** Collects the parts of a bill of materials in any order: vulnerabilities wait until every component is known. */
export class BillOfMaterials {
  readonly #assets = new Map<string, string>()
  readonly #waiting: { position: string; fields: Fields }[] = []
  #subject = 'the software of this file'
  /** By reference: what depends on it directly. */
  readonly #dependents = new Map<string, string[]>()
  #tooMany = 0

  /** Notes the subject of the bill. It is not a component itself, but a vulnerability may affect it. */
  noteSubject(component: Fields): void {
    const [made] = [...itemsOf('', component, () => [componentOf(component, [])])]
    if (made?.type !== 'sighting') return
    this.#subject = made.sighting.asset
    this.#noteReference(component, made.sighting.asset)
  }

  /** Notes what a component depends on. */
  noteDependency(dependency: Fields): void {
    const from = textIn(dependency['ref'])
    if (from === undefined) return
    for (const to of listOf(dependency['dependsOn'])) {
      const known = this.#dependents.get(String(to))
      if (known) known.push(from)
      else this.#dependents.set(String(to), [from])
    }
  }

  /** Yields a service that the software uses. */
  *serviceItems(position: string, service: Fields): Generator<Item> {
    const data = listOf(service['data']).map(objectOf)
    const facts = {
      endpoints: listOf(service['endpoints']),
      authenticated: service['authenticated'],
      crossesTrustBoundary: service['x-trust-boundary'],
      data: data.map(({ flow, classification }) => [textIn(flow), textIn(classification)].filter(Boolean).join(': ')),
    }
    yield* itemsOf(position, service, () => [
      componentSighting({
        ...service,
        name: service['name'],
        purl: undefined,
        licenses: [],
        componentType: 'service',
        more: facts,
      }),
    ])
    for (const inner of listOf(service['services'])) yield* this.serviceItems(position, objectOf(inner))
  }

  /** Yields a component and those nested in it. */
  *componentItems(position: string, component: Fields): Generator<Item> {
    const dependents = this.#dependents.get(textIn(component['bom-ref']) ?? '') ?? []
    for (const item of itemsOf(position, component, () => [componentOf(component, dependents)])) {
      if (item.type === 'sighting') this.#noteReference(component, item.sighting.asset)
      yield item
    }
    for (const vulnerability of listOf(component['vulnerabilities'])) {
      const fields = objectOf(vulnerability)
      this.noteVulnerability(position, {
        ...fields,
        affects: fields['affects'] ?? [{ ref: component['bom-ref'] ?? component['purl'] }],
      })
    }
    for (const inner of listOf(component['components'])) yield* this.componentItems(position, objectOf(inner))
  }

  noteVulnerability(position: string, fields: Fields): void {
    if (this.#waiting.length < MAX_VULNERABILITIES) this.#waiting.push({ position, fields })
    else this.#tooMany++
  }

  *finish(): Generator<Item> {
    for (const { position, fields } of this.#waiting.splice(0))
      yield* itemsOf(position, fields, () => this.#findings(fields))
    if (this.#tooMany > 0)
      yield {
        type: 'cut',
        reason: `${this.#tooMany} vulnerabilities beyond the first ${MAX_VULNERABILITIES} are left out`,
      }
  }

  #noteReference(component: Fields, asset: string): void {
    for (const reference of [component['bom-ref'], component['purl']]) {
      const text = textIn(reference)
      if (text !== undefined && !this.#assets.has(text)) this.#assets.set(text, asset)
    }
  }

  /** Yields one finding per affected component. A reference may point outside the file. */
  *#findings(fields: Fields): Generator<Sighting> {
    const affected = listOf(fields['affects']).map(objectOf)
    const versions = new Map(
      affected.flatMap((each) => {
        const reference = textIn(each['ref'])
        return reference === undefined ? [] : [[this.#assetOf(reference), versionsIn(each)] as const]
      }),
    )
    for (const [asset, range] of versions.size === 0 ? [[this.#subject, []] as const] : versions) {
      const found = finding(fields, asset, range)
      yield found
      // A decision about a known finding, whichever tool has found it.
      for (const tool of found.verdict === null ? [] : TOOLS_OF_VEX)
        if (tool !== 'cyclonedx') yield finding(fields, asset, range, tool)
    }
  }

  /**
   * A component of this file, or one of another bill (`urn:cdx:serial/version#reference`), whose reference is usually
   * its package URL.
   */
  #assetOf(reference: string): string {
    const known = this.#assets.get(reference)
    if (known !== undefined) return known
    const [, inOther] = /^urn:cdx:[^#]{1,200}#(.{1,4000})$/s.exec(reference) ?? []
    if (inOther === undefined) return reference
    const decoded = decodedOf(inOther)
    return decoded.startsWith('pkg:') ? decoded : (this.#assets.get(decoded) ?? decoded)
  }
}

const decodedOf = (text: string): string => {
  try {
    // A package URL that is not encoded may have codes of its own.
    return text.startsWith('pkg:') ? text : decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `4.17.20`, `vers:semver/<4.17.21`; those that are not affected with that word. */
const versionsIn = (affected: Fields): string[] =>
  listOf(affected['versions'])
    .map(objectOf)
    .flatMap(({ version, range, status }) => {
      const written = textIn(version) ?? textIn(range)
      return written === undefined
        ? []
        : [textIn(status) === undefined || status === 'affected' ? written : `${written} (${textIn(status)})`]
    })

const componentOf = (component: Fields, dependents: readonly string[]): Sighting =>
  componentSighting({
    purl: component['purl'],
    type: component['type'],
    group: component['group'],
    name: component['name'],
    version: component['version'],
    licenses: listOf(component['licenses'])
      .map(objectOf)
      .map(
        (choice) => choice['expression'] ?? objectOf(choice['license'])['id'] ?? objectOf(choice['license'])['name'],
      ),
    componentType: component['type'],
    supplier: objectOf(component['supplier'])['name'] ?? component['publisher'],
    cpe: component['cpe'],
    hashes: listOf(component['hashes'])
      .map(objectOf)
      .map(({ alg, content }) => `${textIn(alg) ?? ''}: ${textIn(content) ?? ''}`),
    more: {
      scope: component['scope'],
      dependents,
      cryptography: objectOf(component['cryptoProperties'])['assetType'],
      task: objectOf(objectOf(component['modelCard'])['modelParameters'])['task'],
      properties: listOf(component['properties'])
        .map(objectOf)
        .map(({ name, value }) => `${textIn(name) ?? ''}: ${textIn(value) ?? ''}`),
    },
  })

/** `not_affected: code_not_reachable. Never called. Response: update` */
const analysisIn = (fields: Fields): string | undefined => {
  const analysis = objectOf(fields['analysis'])
  const response = wordsIn(analysis['response']).join(', ')
  const words = [analysis['justification'], analysis['detail'], response && `response: ${response}`]
    .map(textIn)
    .filter(Boolean)
  const state = textIn(analysis['state'])
  return state === undefined && words.length === 0
    ? undefined
    : [state ?? 'analysis', words.join('; ')].filter(Boolean).join(': ')
}

const finding = (fields: Fields, asset: string, versions: readonly string[], tool = 'cyclonedx'): Sighting => {
  const decided = vexVerdict(textIn(objectOf(fields['analysis'])['state']))
  const ratings = listOf(fields['ratings']).map(objectOf)
  const scores = ratings
    .filter(({ method }) => /^CVSS/i.test(textIn(method) ?? ''))
    .map(({ score }) => cleanNumber(score))
  const highest = scores.reduce<number | undefined>(
    (max, score) => (score !== undefined && score > (max ?? -1) ? score : max),
    undefined,
  )
  const references = [...listOf(fields['references']), ...listOf(fields['advisories'])].map(objectOf)
  return vulnerabilitySighting({
    tool,
    ruleId: fields['id'] ?? fields['bom-ref'],
    asset,
    severity: highestSeverity(ratings),
    severityWord: ratings.map((rating) => rating['severity']).find((word) => unknownSeverityIn(word) !== null),
    // A finding that the file itself shows is there is one; any other state decides about a known one.
    ...(decided === 'confirmed' ? { disposition: 'confirmed' as const } : { verdict: decided }),
    analysis: analysisIn(fields),
    more: { affectedVersions: versions, published: fields['published'], workaround: fields['workaround'] },
    description: [textIn(fields['description']), textIn(fields['detail'])].filter(Boolean).join('\n\n'),
    solution: fields['recommendation'],
    references: references.map((reference) => reference['url'] ?? objectOf(reference['source'])['url']),
    cve: [fields['id'], ...references.map(({ id }) => id)].filter((id) => typeof id === 'string'),
    cwe: wordsIn(fields['cwes']),
    cvssVector: ratings.map(({ vector }) => textIn(vector)).find((vector) => vector?.startsWith('CVSS:')),
    cvssScore: highest,
  })
}

const highestSeverity = (ratings: readonly Fields[]): Severity | null => {
  const found = ratings.map((rating) => {
    const score = cleanNumber(rating['score'])
    return (
      severityOf(rating['severity']) ??
      (score !== undefined && /^CVSS/i.test(textIn(rating['method']) ?? '') ? severityOfScore(score) : null)
    )
  })
  return SEVERITIES.findLast((severity) => found.includes(severity)) ?? null
}
