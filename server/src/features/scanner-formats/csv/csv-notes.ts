import type { Item } from '../registry/format.ts'

/** Maximum number of names and words in a warning. */
const MAX_LISTED = 50
/** Maximum number of distinct words counted. */
const MAX_COUNTED = 1_000

/** Counts the parts of a CSV that the import ignores, for its warnings. */
export class CsvNotes {
  readonly #leftOut = new Map<string, number>()
  readonly #statuses = new Map<string, number>()
  readonly #severities = new Map<string, number>()

  #unnamed = 0

  /** Notes a row with cells that are in no column with a name. */
  noteUnnamed(): void {
    this.#unnamed++
  }

  /** @param why a clause, such as `a check passed` */
  noteLeftOut(why: string): void {
    add(this.#leftOut, why)
  }

  /** Notes a status that is not understood, as written. */
  noteStatus(written: string): void {
    add(this.#statuses, written.slice(0, 40))
  }

  /** Notes a severity that is left empty, as written. */
  noteSeverity(written: string): void {
    add(this.#severities, written.slice(0, 40))
  }

  /** @param unread columns without a field */
  *warnings(unread: readonly string[]): Generator<Item> {
    for (const [why, count] of this.#leftOut)
      yield { type: 'warning', text: `Rows that are not findings, because ${why}: ${count}.` }
    const severities = [...this.#severities].map(([word, count]) => `${JSON.stringify(word)} (${count})`)
    if (severities.length > 0)
      yield { type: 'warning', text: `Unknown severities were left empty: ${listed(severities)}.` }
    const statuses = [...this.#statuses].map(([word, count]) => `${JSON.stringify(word)} (${count})`)
    if (statuses.length > 0)
      yield { type: 'warning', text: `Unknown statuses were ignored, so these findings are open: ${listed(statuses)}.` }
    if (this.#unnamed > 0)
      yield {
        type: 'warning',
        text: `Rows with cells in no column with a name, kept as text of their finding: ${this.#unnamed}.`,
      }
    if (unread.length > 0)
      yield {
        type: 'warning',
        text: `Columns without a field of their own, kept as text of each finding: ${listed(unread)}.`,
      }
  }
}

const add = (counts: Map<string, number>, key: string): void => {
  if (counts.has(key) || counts.size < MAX_COUNTED) counts.set(key, (counts.get(key) ?? 0) + 1)
}

const listed = (names: readonly string[]): string =>
  names.length <= MAX_LISTED
    ? names.join(', ')
    : `${names.slice(0, MAX_LISTED).join(', ')} and ${names.length - MAX_LISTED} more`
