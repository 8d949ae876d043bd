import { chooseColumns, columnName, type Field, isHeader } from './columns.ts'
import { ItemList } from './items.ts'

const HEADING = /^(#{1,6})\s{1,10}(.{1,1000}?)\s{0,100}#{0,6}$/
const ENTRY = /^(\s{0,40})(?:[-*+]|\d{1,4}[.)])\s{1,10}(?:\[[ xX]\]\s{0,10})?(.{1,4000})$/
/** `WSTG-INFO-01: Look for leaks`, `1.2.3 Check` and `**A-1** Check`. */
const KEYED =
  /^(?:\*\*)?([A-Za-z]{1,10}[-_.]?(?:[A-Za-z]{1,10}[-_.])?\d{1,4}(?:[-_.]\d{1,4}){0,3}|\d{1,3}(?:\.\d{1,3}){1,3})(?:\*\*)?[:.)]?\s{1,10}(.{1,4000})$/

/** `| WSTG-INFO-01 | Search engines | |`: its cells, without emphasis; undefined for another line. */
const cellsOf = (line: string): string[] | undefined => {
  const trimmed = line.trim()
  if (!trimmed.startsWith('|') || trimmed.length > MAX_ROW) return undefined
  const inner = trimmed.slice(1, trimmed.endsWith('|') && !trimmed.endsWith('\\|') ? -1 : undefined)
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').replaceAll('**', '').trim())
}

/** In characters. */
const MAX_ROW = 20_000
const RULE = /^:?-+:?$/

/**
 * Reads a checklist in Markdown: each entry of a list is an item, in the group of the heading above it; entries and
 * text below it, indented, are its description. So is each row of a table whose columns are known, such as the WSTG's.
 */
export const readMarkdown = (
  text: string,
  mapping: ReadonlyMap<Field, string> = new Map(),
): { name: string; items: ItemList['items'] } => {
  const list = new ItemList()
  let [name, group] = ['', '']
  let table: { names: string[]; columns: ReadonlyMap<Field, string> } | undefined
  let open: { title: string; lines: string[]; group: string; indent: number } | undefined
  const close = () => {
    if (!open) return
    const [, key = '', title = open.title] = KEYED.exec(open.title) ?? []
    list.add({ key, title: title.replaceAll('**', ''), group: open.group, description: open.lines.join('\n') })
    open = undefined
  }
  for (const written of text.split(/\r?\n/)) {
    const line = written.replaceAll('\t', '    ').trimEnd()
    const cells = cellsOf(line)
    if (cells) {
      close()
      const names = cells.map(columnName)
      if (!table && isHeader(names, mapping)) table = { names, columns: chooseColumns(names, mapping) }
      else if (table && !cells.every((cell) => RULE.test(cell) || cell === ''))
        group = addRow(list, table, cells, group)
      continue
    }
    table = undefined
    const heading = HEADING.exec(line)
    const entry = ENTRY.exec(line)
    if (heading) {
      close()
      if (heading[1] === '#' && name === '') name = heading[2] as string
      else group = heading[2] as string
    } else if (entry && (!open || (entry[1] as string).length <= open.indent)) {
      close()
      open = { title: entry[2] as string, lines: [], group, indent: (entry[1] as string).length }
    } else if (open && (line === '' || /^\s/.test(line)))
      open.lines.push(
        line.trim() === '' ? '' : line.slice(Math.min(open.indent + 2, line.length - line.trimStart().length)),
      )
    else close()
  }
  close()
  return { name, items: list.items }
}

/** A row with a key and a title but nothing below it, such as `WSTG-INFO | Information Gathering`, heads those after it. */
const addRow = (
  list: ItemList,
  { names, columns }: { names: readonly string[]; columns: ReadonlyMap<Field, string> },
  cells: readonly string[],
  group: string,
): string => {
  const row = new Map(cells.map((cell, index) => [names[index] ?? '', cell]))
  const of = (field: Field) => row.get(columns.get(field) ?? '') ?? ''
  const [key, title] = [of('key'), of('title')]
  const isChapter = cells.length > 2 && cells.filter(Boolean).length === 2 && /^[A-Za-z]+(?:-[A-Za-z]+)*$/.test(key)
  if (title === '' || isChapter) return title || key || group
  list.addRow(row, columns, group)
  return group
}

/** True if the text has more entries of lists than lines that look like rows of a table. */
export const isMarkdown = (text: string): boolean => {
  const lines = text
    .slice(0, 65_536)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  const marked = lines.filter((line) => HEADING.test(line) || ENTRY.test(line) || cellsOf(line) !== undefined).length
  return marked > lines.length / 3 || /^#{1,6} /.test(lines[0] ?? '')
}
