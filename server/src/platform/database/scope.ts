import pg from 'pg'
import type { Bound } from './statements.ts'

/**
 * Whose rows a statement may see: an organization's id, or all of them. Row-level security holds every statement to it,
 * beside the condition that the statement has of its own (catalogue A14).
 */
export type Scope = string

/** For what concerns more than one organization: finding out who asks, a person's own pages, jobs, start-up. */
export const EVERY_ORGANIZATION: Scope = '*'

/** Made by `wallTables`: sets the scope, and the role that row-level security binds, until the transaction ends. */
export const ENTER_SCOPE = { name: 'enter_scope', text: 'select enter_scope($1)' }

interface Wire {
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: unknown[]; valueMapper(value: unknown): unknown }): void
  execute(message: object): void
}

interface QueryInternals {
  prepare(wire: Wire): void
  hasBeenParsed(wire: Wire): unknown
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, wire: Wire): void
}

const inherited = pg.Query.prototype as unknown as QueryInternals
/** How the driver writes a value. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/** Binds a statement, whose result is not wanted. */
type Lead = (wire: Wire) => void

/**
 * A query behind other statements, in one round trip: statements before one sync are one transaction to Postgres. Only
 * its own rows are answered.
 */
class LedQuery extends pg.Query {
  readonly #leads: readonly Lead[]
  readonly #isKept: boolean | undefined
  #led = 0

  constructor(leads: readonly Lead[], last: Last, callback: (error: Error | null, result: pg.QueryResult) => void) {
    super({ ...last, queryMode: 'extended', callback } as unknown as pg.QueryConfig)
    this.#leads = leads
    this.#isKept = 'isKept' in last ? last.isKept : undefined
  }

  /** The driver knows of those only that it was asked for by name before. */
  hasBeenParsed(wire: Wire): unknown {
    return this.#isKept ?? inherited.hasBeenParsed.call(this, wire)
  }

  prepare(wire: Wire): void {
    for (const lead of this.#leads) {
      lead(wire)
      wire.execute({})
    }
    inherited.prepare.call(this, wire)
  }

  handleDataRow(message: unknown): void {
    if (this.#led === this.#leads.length) inherited.handleDataRow.call(this, message)
  }

  handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#led === this.#leads.length) inherited.handleCommandComplete.call(this, message, wire)
    else this.#led++
  }
}

/** A statement by its text, by a name that the driver has to remember, or by one that is kept. */
type Last = pg.QueryConfig | Bound

const queryBehind = (client: pg.ClientBase, leads: readonly Lead[], config: Last): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    client.query(new LedQuery(leads, config, (error, result) => (error ? reject(error) : resolve(result))))
  })

const enterScope =
  (scope: Scope): Lead =>
  (wire) =>
    wire.bind({ statement: ENTER_SCOPE.name, values: [scope], valueMapper: (value) => value })

/** @throws what the driver throws for a value that it cannot write */
const leadOf = ({ text, values, name = '', isKept = false }: Bound): Lead => {
  const written = values.map(prepareValue)
  return (wire) => {
    if (!isKept) wire.parse({ name, text })
    wire.bind({ statement: name, values: written, valueMapper: (value) => value })
  }
}

/** Once per connection, before its first scoped query. */
export const prepareScopes = async (client: pg.ClientBase): Promise<void> => {
  await client.query({ ...ENTER_SCOPE, values: [EVERY_ORGANIZATION] })
}

/**
 * Runs one statement in its scope, as a transaction of its own: nothing of the scope is left behind on the connection,
 * also after an error and behind a pooler. @throws what `client.query` throws
 */
export const queryInScope = (client: pg.ClientBase, config: pg.QueryConfig, scope: Scope): Promise<pg.QueryResult> =>
  queryBehind(client, [enterScope(scope)], config)

/**
 * Begins a transaction that stays in its scope until its end, with its first statements: one round trip for all of them.
 * @returns the result of the last
 * @throws what `client.query` throws; the transaction has begun then, and waits to be rolled back
 */
export const beginInScope = (client: pg.ClientBase, begin: string, scope: Scope, held: readonly Bound[], last: Last): Promise<pg.QueryResult> =>
  queryBehind(client, [leadOf({ text: begin, values: [] }), enterScope(scope), ...held.map(leadOf)], last)

/** Runs statements of a transaction in one round trip. @returns the result of the last @throws what `client.query` throws for the first that fails */
export const queryAfter = (client: pg.ClientBase, held: readonly Bound[], last: Last): Promise<pg.QueryResult> => queryBehind(client, held.map(leadOf), last)
