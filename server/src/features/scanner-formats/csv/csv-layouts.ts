import type { Severity } from '@sortie/contract/core/values.ts'
import { severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import { canonicalName, canonicalUrl } from '../../inventory/sightings/canonical.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { severityOf, unknownSeverityIn } from '../../inventory/sightings/severities.ts'
import { type Disposition, type Sighting, InvalidSighting } from '../../inventory/sightings/sightings.ts'
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

/** The cells of a row that are in no column with a name. */
export const UNNAMED = '(no column)'

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
  const read = new Set([
    ...Object.values(known.columns).flat(),
    ...(known.names ?? []),
    ...Object.keys(known.more ?? {}),
    ...(known.other ?? []),
  ])
  const unread = columns.filter((name) => name !== '' && !read.has(name))
  return { tool: known.tool, unread, read: (cell, notes) => readRow(known, cell, notes, unread) }
}

/** True if the columns are those of a known layout. */
export const hasKnownColumns = (columns: readonly string[]): boolean =>
  KNOWN_LAYOUTS.some((layout) => layout.isIn(columns))

/** The layout of a tool's CSV, for other files of the same tool. */
export const layoutNamed = (tool: string): Layout => {
  const known = KNOWN_LAYOUTS.find((layout) => layout.tool === tool) as KnownLayout
  return { tool, unread: [], read: (cell, notes) => readRow(known, cell, notes) }
}

function* readRow(
  known: KnownLayout,
  cell: Cell,
  notes: CsvNotes,
  unread: readonly string[] = [],
): Generator<Sighting> {
  const { tool, names = [], hasPlainPlaces = false, notFinding, isPassed } = known
  const field = (name: MappedField) =>
    known.columns[name]?.map((column) => cell(column)).find((value) => value !== undefined)
  const why = notFinding?.(cell)
  if (why !== undefined) notes.noteLeftOut(why)
  const decided = decisionIn(field('status'), notes)
  const passed = (isPassed?.(cell) ?? false) || decided === 'fixed'
  if (why !== undefined && !passed) return
  const place = known.isPlaceless ? nowhere(field('host') ?? field('url')) : placeOfRow(field, tool === 'csv')
  const askedName =
    names.map((column) => canonicalName(cell(column) ?? '')).find((name) => name !== undefined) ?? place.askedName
  const location = hasPlainPlaces && canonicalUrl(place.location) === undefined ? undefined : place.location
  const others = [...unread, ...passedOver(known, cell), UNNAMED].flatMap((column) =>
    cell(column) === undefined ? [] : [`${column}: ${cell(column)}`],
  )
  const named = Object.entries(known.more ?? {}).filter(([column]) => cell(column) !== undefined)
  const more = {
    ...Object.fromEntries(named.map(([column, name]) => [name, cell(column)])),
    columns: others.join('\n'),
  }
  const isInformation = known.isInformation?.(cell) ?? false
  const made = finding(known, field, { ...place, askedName, location }, notes, { passed, isInformation }, more)
  if (known.isFalsePositive?.(cell)) yield { ...made, disposition: 'false_positive' }
  else if (known.isAccepted?.(cell)) yield { ...made, disposition: 'accepted' }
  else yield decided === undefined || decided === 'fixed' ? made : { ...made, disposition: decided }
}

/** Columns of a field for which another column of the row was taken, and that say something else. */
const passedOver = ({ columns, names = [], more = {} }: KnownLayout, cell: Cell): string[] => {
  const filled = Object.values(columns).map((candidates) => candidates.filter((column) => cell(column) !== undefined))
  const taken = new Set([...filled.flatMap(([first]) => first ?? []), ...names, ...Object.keys(more)])
  const values = new Set([...taken].map((column) => cell(column)))
  return [...new Set(filled.flat())].filter((column) => !taken.has(column) && !values.has(cell(column)))
}

const nowhere = (written = '(no host)'): RowPlace => ({ asset: written, location: written })

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
  { passed, isInformation }: { passed: boolean; isInformation: boolean },
  more: Record<string, unknown>,
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
    severity: isInformation ? 'info' : passed || weight ? null : severityIn(field('severity'), score, levels, notes),
    ...weight,
    passed,
    description: field('description'),
    solution: field('solution'),
    references: field('references'),
    cve: field('cve'),
    cwe: field('cwe'),
    cvssScore: score,
    evidence: [field('evidence')],
    more,
  })
}

/** Reads `7.5`, and also `7.5 (AV:N/AC:L/...)`. */
const scoreIn = (written: string | undefined): number | undefined =>
  cleanNumber(/^\s*(\d{1,2}(?:\.\d{1,2})?)(?=\s|$)/.exec(written ?? '')?.[1])

/** What people and tools write into a column for the status, without blanks and signs. */
const STATUSES: Record<string, Disposition | 'fixed' | 'open' | undefined> = {
  falsepositive: 'false_positive',
  falschmeldung: 'false_positive',
  fauxpositif: 'false_positive',
  notavulnerability: 'false_positive',
  accepted: 'accepted',
  riskaccepted: 'accepted',
  acceptedrisk: 'accepted',
  wontfix: 'accepted',
  akzeptiert: 'accepted',
  fixed: 'fixed',
  closed: 'fixed',
  resolved: 'fixed',
  mitigated: 'fixed',
  remediated: 'fixed',
  done: 'fixed',
  behoben: 'fixed',
  geschlossen: 'fixed',
  erledigt: 'fixed',
  corrigé: 'fixed',
  fermé: 'fixed',
  confirmed: 'confirmed',
  verified: 'confirmed',
  bestätigt: 'confirmed',
  open: 'open',
  new: 'open',
  active: 'open',
  reopened: 'open',
  offen: 'open',
  neu: 'open',
  ouvert: 'open',
}

/** A finding that is fixed is not open: it is counted, and ends the known one. */
const decisionIn = (written: string | undefined, notes: CsvNotes): Disposition | 'fixed' | undefined => {
  if (written === undefined) return undefined
  const word = written.toLowerCase().replace(/[^\p{L}]/gu, '')
  const found = Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined
  if (found === undefined) notes.noteStatus(written)
  if (found === 'fixed') notes.noteLeftOut('their status says that they are fixed')
  return found === 'open' ? undefined : found
}

/**
 * Reads a word, a number whose meaning is known, or a CVSS score with a decimal point. Other numbers may count up or
 * down: they and unknown words yield null, unless the row has a score.
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
  if (unknownSeverityIn(text) !== null) notes.noteSeverity(text)
  return null
}
