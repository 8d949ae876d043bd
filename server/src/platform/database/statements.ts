import pg from 'pg'

/** A statement with its values. */
export interface Bound {
  text: string
  values: unknown[]
  /** Under which Postgres keeps it planned on the connection; none: it is planned for this time only. */
  name?: string
  /** It is kept already. */
  isKept?: boolean
}

/** Postgres knows no statement of this name. */
const NOT_KEPT = '26000'
/** Where Postgres finds that a table has changed under a kept statement, as by the migration of a newer version beside this one. */
const FINDS_CHANGED = 'RevalidateCachedQuery'

/** Whether a statement failed only since it was kept: on another connection it can be done. */
export const isOutdated = (error: unknown): boolean => error instanceof pg.DatabaseError && (error.code === NOT_KEPT || error.routine === FINDS_CHANGED)

/** From so many uses on a connection on, a statement is worth the memory that it takes of Postgres there. */
const KEPT_FROM = 5
/** Far more than come again and again; those that differ each time, by how many values they list, shall not fill the memory. */
const MOST_KEPT = 100
const MOST_COUNTED = 1_000

/**
 * What Postgres keeps planned on one connection: the statements that come again and again. Planning costs as much as
 * doing, for statements that touch one row, and row-level security makes it half as much again. After some uses Postgres
 * plans without the values: a statement must not need them for that, which tests see to.
 */
export class KeptStatements {
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()
  #named = 0

  /** How to send a statement now. Whoever sends it says so where it `failed`. */
  bind({ text, values }: Pick<Bound, 'text' | 'values'>): Bound {
    const kept = this.#names.get(text)
    if (kept !== undefined) return { text, values, name: kept, isKept: true }
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (uses < KEPT_FROM || this.#named === MOST_KEPT) {
      if (this.#uses.size >= MOST_COUNTED) this.#uses.clear()
      this.#uses.set(text, uses)
      return { text, values }
    }
    const name = `kept_${++this.#named}`
    this.#names.set(text, name)
    return { text, values, name, isKept: false }
  }

  /** Of these, one failed: whether Postgres came to keeping the others is not known, so their names are not used again. */
  failed(statements: readonly Bound[]): void {
    for (const { text, isKept } of statements) {
      if (isKept !== false) continue
      this.#names.delete(text)
      this.#uses.delete(text)
    }
  }
}
