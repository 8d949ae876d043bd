/** A statement with its values. */
export interface Bound {
  text: string
  values: unknown[]
  /** Under which Postgres keeps it planned on the connection; none: it is planned for this time only. */
  name?: string
  /** It is kept already. */
  isKept?: boolean
}

/** Postgres knows no statement of this name: it has ended with a connection that a pooler gave to somebody else. */
export const NOT_PREPARED = '26000'

/** From so many uses on a connection on, a statement is worth the memory that it takes of Postgres there. */
const KEPT_FROM = 5
/** Most statements are few; those that differ each time, by how many values they list, are not kept for ever. */
const MOST_KEPT = 100
const MOST_COUNTED = 1_000

/**
 * What Postgres keeps planned on one connection: the statements that come again and again. Planning costs as much as
 * doing, for statements that touch one row, and row-level security makes it half as much again.
 */
export class KeptStatements {
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()
  #named = 0

  /** How to send a statement now. Whoever sends it tells afterwards, by `sent` or `failed`, what became of it. */
  bind({ text, values }: Pick<Bound, 'text' | 'values'>): Bound {
    const kept = this.#names.get(text)
    if (kept !== undefined) return { text, values, name: kept, isKept: true }
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (uses < KEPT_FROM || this.#names.size >= MOST_KEPT) {
      if (this.#uses.size >= MOST_COUNTED) this.#uses.clear()
      this.#uses.set(text, uses)
      return { text, values }
    }
    // A failed attempt may have left its statement behind or not: no name is used for a second one.
    const name = `kept_${++this.#named}`
    this.#names.set(text, name)
    return { text, values, name, isKept: false }
  }

  /** Of these, one failed: whether Postgres came to keeping the others is not known. */
  failed(statements: readonly Bound[]): void {
    for (const { text, isKept } of statements) if (isKept === false) this.#names.delete(text)
  }

  /** The connection knows none of them any more, as behind a pooler that gave it to somebody else. */
  lost(): void {
    this.#names.clear()
  }
}
