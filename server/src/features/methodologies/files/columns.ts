import { badRequest } from '../../../platform/errors.ts'

/** Fields of an item that a column may have. */
export const FIELDS = ['key', 'title', 'description', 'group', 'appliesTo'] as const
export type Field = (typeof FIELDS)[number]

/**
 * Columns of our export, of published checklists (ASVS, WSTG, MASVS), and of lists in English, German and French, most
 * specific first.
 */
const NAMES: Readonly<Record<Field, readonly string[]>> = {
  key: [
    'key',
    'req_id',
    'requirement id',
    'test id',
    'control id',
    'item id',
    'id',
    'ref',
    'reference id',
    'code',
    'no',
    'no.',
    'nr',
    'nr.',
    '#',
    'number',
    'nummer',
    'kennung',
    'numéro',
  ],
  title: [
    'title',
    'req_title',
    'test name',
    'name',
    'check',
    'item',
    'test',
    'titel',
    'bezeichnung',
    'prüfung',
    'prüfpunkt',
    'titre',
    'contrôle',
    'requirement',
    'req_description',
    'verification requirement',
    'control',
    'statement',
    'anforderung',
    'exigence',
  ],
  description: [
    'description',
    'details',
    'objective',
    'objectives',
    'how',
    'procedure',
    'steps',
    'notes',
    'beschreibung',
    'vorgehen',
    'hinweise',
    'objectif',
  ],
  group: [
    'group',
    'section_name',
    'category',
    'section',
    'area',
    'chapter_name',
    'chapter',
    'gruppe',
    'kategorie',
    'bereich',
    'kapitel',
    'catégorie',
    'groupe',
  ],
  appliesTo: ['appliesto', 'applies to', 'gilt für'],
}

/** Our exports have the methodology's own description there. */
export const ABOUT = 'methodology'

/** A row by the lower-case names of its columns. */
export type Row = ReadonlyMap<string, string>

export const columnName = (written: string): string => written.trim().toLowerCase()

/**
 * Parses `column:field,column:field`.
 *
 * @throws ApiError BAD_REQUEST for an unknown field
 */
export const parseColumns = (written: string | undefined): Map<Field, string> => {
  const found = new Map<Field, string>()
  for (const pair of (written ?? '').split(',').filter((each) => each.trim() !== '')) {
    const colon = pair.lastIndexOf(':')
    const [column, field] = [columnName(pair.slice(0, Math.max(0, colon))), pair.slice(colon + 1).trim() as Field]
    if (column === '' || !FIELDS.includes(field))
      throw badRequest(
        `mapping: must be column:field pairs, separated by commas, where a field is one of ${FIELDS.join(', ')}`,
      )
    found.set(field, column)
  }
  return found
}

/**
 * Chooses the column of each field: the mapped one, else the first known name.
 *
 * @throws ApiError BAD_REQUEST with the columns, if none is a title
 */
export const chooseColumns = (columns: readonly string[], mapping: ReadonlyMap<Field, string>): Map<Field, string> => {
  const unknown = [...mapping.values()].find((column) => !columns.includes(column))
  if (unknown !== undefined)
    throw badRequest(`mapping: the file has no column ${unknown}; its columns are ${columns.slice(0, 20).join(', ')}`)
  const taken = new Set(mapping.values())
  const chosen = new Map(mapping)
  for (const field of FIELDS) {
    const found = chosen.has(field)
      ? undefined
      : NAMES[field].find((name) => columns.includes(name) && !taken.has(name))
    if (found === undefined) continue
    chosen.set(field, found)
    taken.add(found)
  }
  if (!chosen.has('title') && chosen.has('description')) chosen.set('title', chosen.get('description') as string)
  if (chosen.has('title')) return chosen
  throw badRequest(
    `No column of the file is known to be the title of an item: its columns are ${columns.slice(0, 20).join(', ')}. Name it with mapping=column:title, and others with ${FIELDS.filter((field) => field !== 'title').join(', ')}.`,
  )
}

/** True if the line of a table may be the one with the names of its columns. */
export const isHeader = (columns: readonly string[], mapping: ReadonlyMap<Field, string>): boolean =>
  columns.filter((name) => name !== '').length > 1 &&
  (mapping.size > 0
    ? [...mapping.values()].every((column) => columns.includes(column))
    : [...NAMES.title, ...NAMES.description].some((name) => columns.includes(name)))
