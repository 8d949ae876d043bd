import { severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import { canonicalName, canonicalUrl } from '../../inventory/sightings/canonical.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { type Severity, severityOf } from '../../inventory/sightings/severities.ts'
import { type Sighting, InvalidSighting } from '../../inventory/sightings/sightings.ts'
import { weightOf } from '../openvas/openvas.ts'
import { UnreadableFile } from '../registry/format.ts'
import {
  type Cell,
  type Columns,
  KNOWN_LAYOUTS,
  type KnownLayout,
  MAPPED_FIELDS,
  type MappedField,
} from './csv-columns.ts'
import type { CsvNotes } from './csv-notes.ts'
import { placeOfRow, type RowPlace } from './csv-places.ts'

type Field = (name: MappedField) => string | undefined

/** How the rows of a CSV are read. */
export interface Layout {
  /** The tool that writes these columns. */
  tool: string
  /** Columns that the import ignores. */
  unread: readonly string[]
  read(cell: Cell, notes: CsvNotes): Iterable<Sighting>
}

/**
 * Chooses the layout of a CSV: `mapping` (column to field) if given, else the layout that the columns match.
 *
 * @throws UnreadableFile with the column names, if neither applies
 */
export const layoutOf = (columns: readonly string[], mapping: Readonly<Record<string, string>>): Layout => {
  const known: KnownLayout | undefined =
    Object.keys(mapping).length > 0
      ? { tool: 'csv', isIn: () => true, columns: mappedColumns(columns, mapping) }
      : KNOWN_LAYOUTS.find((layout) => layout.isIn(columns))
  if (!known) {
    throw new UnreadableFile(
      `unknown columns: ${columns.slice(0, 20).join(', ')}. Map them with mapping=column:field,... where a field is one of ${MAPPED_FIELDS.join(', ')}`,
    )
  }
  const read = new Set([...Object.values(known.columns).flat(), ...(known.names ?? [])])
  return {
    tool: known.tool,
    unread: columns.filter((name) => name !== '' && !read.has(name)),
    read: (cell, notes) => readRow(known, cell, notes),
  }
}

function* readRow(known: KnownLayout, cell: Cell, notes: CsvNotes): Generator<Sighting> {
  const { tool, names = [], hasPlainPlaces = false, notFinding, isPassed } = known
  const field = (name: MappedField) =>
    known.columns[name]?.map((column) => cell(column)).find((value) => value !== undefined)
  const why = notFinding?.(cell)
  if (why !== undefined) notes.noteLeftOut(why)
  const passed = isPassed?.(cell) ?? false
  if (why !== undefined && !passed) return
  const place = placeOfRow(field, tool === 'csv')
  const askedName =
    names.map((column) => canonicalName(cell(column) ?? '')).find((name) => name !== undefined) ?? place.askedName
  const location = hasPlainPlaces && canonicalUrl(place.location) === undefined ? undefined : place.location
  yield finding(known, field, { ...place, askedName, location }, notes, passed)
}

const mappedColumns = (columns: readonly string[], mapping: Readonly<Record<string, string>>): Columns => {
  const found: Partial<Record<MappedField, string[]>> = {}
  for (const [written, field] of Object.entries(mapping)) {
    const column = written.trim().toLowerCase()
    if (!columns.includes(column))
      throw new UnreadableFile(
        `mapping: the file has no column ${column}; its columns are ${columns.slice(0, 20).join(', ')}`,
      )
    found[field as MappedField] = [...(found[field as MappedField] ?? []), column]
  }
  if (!found.title) throw new UnreadableFile('mapping: no column is mapped to title')
  return found
}

const finding = (
  { tool, levels }: KnownLayout,
  field: Field,
  place: Omit<RowPlace, 'location'> & { location: string | undefined },
  notes: CsvNotes,
  passed: boolean,
): Sighting => {
  const score = scoreIn(field('cvss'))
  // A scanner's row is always a finding. A row of a manual list needs a title.
  const title = field('title') ?? field('rule') ?? (tool === 'csv' ? undefined : 'Finding without a name')
  if (title === undefined) throw new InvalidSighting('the row has no title')
  const weight = tool === 'openvas' ? weightOf(score, field('severity')) : undefined
  return vulnerabilitySighting({
    tool,
    ruleId: field('rule') ?? title,
    ...place,
    title,
    severity: passed || weight ? null : severityIn(field('severity'), score, levels, notes),
    ...weight,
    passed,
    description: field('description'),
    solution: field('solution'),
    references: field('references'),
    cve: field('cve'),
    cwe: field('cwe'),
    cvssScore: score,
    evidence: [field('evidence')],
  })
}

/** Reads `7.5`, and also `7.5 (AV:N/AC:L/...)`. */
const scoreIn = (written: string | undefined): number | undefined =>
  cleanNumber(/^\s*(\d{1,2}(?:\.\d{1,2})?)(?=\s|$)/.exec(written ?? '')?.[1])

/** Words for a missing value. */
const NOT_SAID = new Set(['', '-', 'n/a', 'na', 'null', 'unassigned', 'undefined', 'unknown'])

/**
 * Reads a word, a number whose meaning is known, or a CVSS score with a decimal point. Other numbers may count up or down: they
 * and unknown words yield null, unless the row has a score.
 */
const severityIn = (
  written = '',
  score: number | undefined,
  levels: KnownLayout['levels'],
  notes: CsvNotes,
): Severity | null => {
  const text = written.trim()
  const found =
    severityOf(text) ??
    levels?.get(text) ??
    (/^\d{1,2}\.\d{1,2}$/.test(text) && Number(text) <= 10 ? severityOfScore(Number(text)) : null)
  if (found !== null) return found
  if (score !== undefined) return severityOfScore(score)
  if (!NOT_SAID.has(text.toLowerCase())) notes.noteSeverity(text)
  return null
}
