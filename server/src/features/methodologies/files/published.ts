import { chooseColumns, columnName, type Field, type Row } from './columns.ts'
import { ItemList } from './items.ts'

type Json = Readonly<Record<string, unknown>>

const objectIn = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textIn = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
/** A key in any case; ASVS has changed it. */
const field = (object: unknown, name: string): unknown =>
  Object.entries(objectIn(object)).find(([key]) => key.toLowerCase() === name)?.[1]

/** What a published checklist contains; the name is as far as it states one. */
export interface Published {
  name: string
  version: string
  items: ItemList['items']
}

/**
 * Reads checklists as their projects publish them: the WSTG (`categories`), the ASVS flat (`requirements`) and nested,
 * and any list of objects with a title.
 *
 * @returns undefined for another document
 */
export const readPublished = (file: unknown, mapping: ReadonlyMap<Field, string>): Published | undefined => {
  const items = new ItemList()
  const categories = field(file, 'categories')
  const requirements = field(file, 'requirements') ?? (Array.isArray(file) ? file : undefined)
  if (categories !== undefined) addCategories(items, objectIn(categories))
  else if (listIn(requirements).some((each) => Array.isArray(field(each, 'items'))))
    for (const chapter of listIn(requirements)) addChapter(items, chapter, '')
  else if (listIn(requirements).length > 0) addRows(items, listIn(requirements), mapping)
  if (items.items.length === 0) return undefined
  return { name: textIn(field(file, 'name')), version: textIn(field(file, 'version')).slice(0, 50), items: items.items }
}

/** `{"Information Gathering": {"id": "WSTG-INFO", "tests": [{"name", "id", "reference", "objectives"}]}}` */
const addCategories = (items: ItemList, categories: Json): void => {
  for (const [group, category] of Object.entries(categories)) {
    for (const test of listIn(field(category, 'tests'))) {
      const objectives = listIn(field(test, 'objectives')).map((objective) => `- ${textIn(objective)}`)
      const reference = textIn(field(test, 'reference'))
      items.add({
        key: textIn(field(test, 'id')),
        title: textIn(field(test, 'name')),
        group,
        description: [objectives.join('\n'), reference].filter(Boolean).join('\n\n'),
      })
    }
  }
}

/** Chapters hold sections, which hold requirements; only requirements have a description. */
const addChapter = (items: ItemList, part: unknown, above: string): void => {
  const inner = listIn(field(part, 'items'))
  const name = textIn(field(part, 'name'))
  const key = textIn(field(part, 'shortcode')) || textIn(field(part, 'id'))
  if (inner.length > 0) {
    for (const each of inner) addChapter(items, each, name || above)
    return
  }
  const levels = ['l1', 'l2', 'l3']
    .filter((level) => field(field(part, level), 'required') === true)
    .map((level) => level.toUpperCase())
  const level = levels[0] ?? textIn(field(part, 'l'))
  items.add({
    key: key.replace(/^V(?=\d+\.\d+\.\d+$)/, 'V'),
    title: textIn(field(part, 'description')) || name,
    group: above,
    description: level === '' ? '' : `Level: ${level}`,
  })
}

const addRows = (items: ItemList, rows: readonly unknown[], mapping: ReadonlyMap<Field, string>): void => {
  const maps = rows.map(
    (row): Row =>
      new Map(
        Object.entries(objectIn(row)).map(([name, value]) => [
          columnName(name),
          Array.isArray(value) ? value.map(textIn).join('\n') : textIn(value),
        ]),
      ),
  )
  const columns = chooseColumns([...new Set(maps.flatMap((row) => [...row.keys()]))], mapping)
  for (const row of maps) items.addRow(row, columns)
}
