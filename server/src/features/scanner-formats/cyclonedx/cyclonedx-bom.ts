import { severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { componentSighting, vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { SEVERITIES, type Severity, severityOf } from '../../inventory/sightings/severities.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { type Fields, itemsOf, listOf, objectOf, textIn } from '../readers/records.ts'
import type { Item } from '../registry/format.ts'

/** Vulnerabilities in these states are not findings, or are fixed. */
const NO_FINDING = new Set(['not_affected', 'false_positive', 'resolved', 'resolved_with_pedigree'])
const MAX_VULNERABILITIES = 200_000

/** Collects the parts of a bill of materials in any order: vulnerabilities wait until every component is known. */
export class BillOfMaterials {
  readonly #assets = new Map<string, string>()
  readonly #waiting: { position: string; fields: Fields }[] = []
  #subject = 'the software of this file'
  #tooMany = 0

  /** Notes the subject of the bill. It is not a component itself, but a vulnerability may affect it. */
  noteSubject(component: Fields): void {
    const [made] = [...itemsOf('', component, () => [componentOf(component)])]
    if (made?.type !== 'sighting') return
    this.#subject = made.sighting.asset
    this.#noteReference(component, made.sighting.asset)
  }

  /** Yields a component and those nested in it. */
  *componentItems(position: string, component: Fields): Generator<Item> {
    for (const item of itemsOf(position, component, () => [componentOf(component)])) {
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
    if (NO_FINDING.has(textIn(objectOf(fields['analysis'])['state']) ?? '')) return
    const references = listOf(fields['affects']).map((affected) => textIn(objectOf(affected)['ref']))
    const assets = new Set(
      references
        .filter((reference) => reference !== undefined)
        .map((reference) => this.#assets.get(reference) ?? reference),
    )
    for (const asset of assets.size === 0 ? [this.#subject] : assets) yield finding(fields, asset)
  }
}

const componentOf = (component: Fields): Sighting =>
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
  })

const finding = (fields: Fields, asset: string): Sighting => {
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
    tool: 'cyclonedx',
    ruleId: fields['id'] ?? fields['bom-ref'],
    asset,
    severity: highestSeverity(ratings),
    description: [textIn(fields['description']), textIn(fields['detail'])].filter(Boolean).join('\n\n'),
    solution: fields['recommendation'],
    references: references.map((reference) => reference['url'] ?? objectOf(reference['source'])['url']),
    cve: [fields['id'], ...references.map(({ id }) => id)].filter((id) => typeof id === 'string'),
    cwe: listOf(fields['cwes']).map(String),
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
