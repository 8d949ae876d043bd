import { badRequest } from '../../../platform/errors.ts'
import type { Field, Row } from './columns.ts'

const MAX_KEY = 64
const MAX_TITLE = 200
const MAX_GROUP = 100

/** An item of a file, before it is validated. */
export interface FileItem {
  key: string
  title: string
  description?: string
  group?: string
  appliesTo?: string[]
}

/** Columns that are kept in the description: at which level a requirement applies, and what it refers to. */
const FACTS = ['l', 'level', 'level1', 'level2', 'level3', 'cwe', 'nist']

/** One line without control characters. */
const line = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

/** Makes items of a file valid: a number in place of a missing or repeated key, long titles also as description. */
export class ItemList {
  readonly items: FileItem[] = []
  readonly #keys = new Set<string>()
  #heading = ''

  add({ key = '', title, description = '', group = '', appliesTo }: Partial<FileItem> & { title: string }): void {
    const whole = line(title)
    if (whole === '') return
    const short = [...whole].length > MAX_TITLE ? `${[...whole].slice(0, MAX_TITLE - 1).join('')}…` : whole
    const text = [short === whole ? '' : whole, description.trim()].filter(Boolean).join('\n\n')
    const cut = (written: string, max: number) => [...line(written)].slice(0, max).join('').trim()
    this.items.push({
      key: this.#freeKey(cut(key, MAX_KEY)),
      title: short,
      ...(text !== '' && { description: text }),
      ...(group.trim() !== '' && { group: cut(group, MAX_GROUP) }),
      ...(appliesTo && { appliesTo }),
    })
  }

  /** @param heading the group of a row that names none */
  addRow(row: Row, columns: ReadonlyMap<Field, string>, heading = this.#heading): void {
    const cell = (field: Field) => row.get(columns.get(field) ?? '') ?? ''
    const filled = [...row.values()].filter((value) => value !== '')
    // A line with one cell is the heading of those below it.
    if (filled.length === 1 && cell('title') === '') {
      this.#heading = filled[0] as string
      return
    }
    if (filled.length > 0 && cell('title') === '')
      throw badRequest(
        `Item ${this.items.length + 1}${cell('key') ? ` (${cell('key').slice(0, 64)})` : ''}: its title must not be empty.`,
      )
    const facts = FACTS.flatMap((name) => (row.get(name) ? [`${name}: ${row.get(name)}`] : []))
    const description = columns.get('description') === columns.get('title') ? '' : cell('description')
    this.add({
      key: cell('key'),
      title: cell('title'),
      description: [description, facts.join('\n')].filter(Boolean).join('\n\n'),
      group: cell('group') || heading,
      appliesTo: cell('appliesTo')
        .split(/[\s,;]+/)
        .filter(Boolean),
    })
  }

  #freeKey(written: string): string {
    const base = written || String(this.items.length + 1)
    let key = base
    for (let number = 2; this.#keys.has(key); number++) key = `${base.slice(0, MAX_KEY - 6)}-${number}`
    this.#keys.add(key)
    return key
  }
}
