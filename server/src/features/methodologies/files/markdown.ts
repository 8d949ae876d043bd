import { ItemList } from './items.ts'

const HEADING = /^(#{1,6})\s{1,10}(.{1,1000}?)\s{0,100}#{0,6}$/
const ENTRY = /^(\s{0,40})(?:[-*+]|\d{1,4}[.)])\s{1,10}(?:\[[ xX]\]\s{0,10})?(.{1,4000})$/
/** `WSTG-INFO-01: Look for leaks`, `1.2.3 Check` and `**A-1** Check`. */
const KEYED =
  /^(?:\*\*)?([A-Za-z]{1,10}[-_.]?(?:[A-Za-z]{1,10}[-_.])?\d{1,4}(?:[-_.]\d{1,4}){0,3}|\d{1,3}(?:\.\d{1,3}){1,3})(?:\*\*)?[:.)]?\s{1,10}(.{1,4000})$/

/**
 * Reads a checklist in Markdown: each entry of a list is an item, in the group of the heading above it; entries and
 * text below it, indented, are its description.
 */
export const readMarkdown = (text: string): { name: string; items: ItemList['items'] } => {
  const list = new ItemList()
  let [name, group] = ['', '']
  let open: { title: string; lines: string[]; group: string; indent: number } | undefined
  const close = () => {
    if (!open) return
    const [, key = '', title = open.title] = KEYED.exec(open.title) ?? []
    list.add({ key, title: title.replaceAll('**', ''), group: open.group, description: open.lines.join('\n') })
    open = undefined
  }
  for (const written of text.split(/\r?\n/)) {
    const line = written.replaceAll('\t', '    ').trimEnd()
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

/** True if the text has more entries of lists than lines that look like rows of a table. */
export const isMarkdown = (text: string): boolean => {
  const lines = text
    .slice(0, 65_536)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  const marked = lines.filter((line) => HEADING.test(line) || ENTRY.test(line)).length
  return marked > lines.length / 3 || /^#{1,6} /.test(lines[0] ?? '')
}
