import type { Socket } from 'node:net'
import pg from 'pg'
import { unavailable } from '../errors.ts'
import { EVERY_ORGANIZATION, prepareScopes, queryInScope, type Scope } from './scope.ts'
import { isOutdated } from './statements.ts'

/** A statement that Postgres plans once per connection. `name` is unique among all statements of the server. */
export interface Statement<Row> {
  name: string
  text: string
  /** Types the rows; never set. */
  row?: Row
}

const CONNECTIONS = 3
const RECONNECT_PAUSE_MS = 200
/** A mistrusted connection gets no more queries; those that it has may end until it is closed. */
const RETIREMENT_MS = 5_000

interface Lookups<Row = unknown> {
  ids: Set<string>
  rows: Promise<Map<string, Row>>
}

interface Lane {
  client: pg.Client | undefined
  opening: Promise<pg.Client> | undefined
  failedAt: number
  holding: boolean
}

/** When a query leaves: with the others of its turn of the event loop, in one write; or at once, for it stands for many. */
type Leaves = 'with others' | 'at once'

/** While there is too much to do, what leaves with others is gathered for so long instead, and for so long after the last sign of it. */
const GATHER_MS = 8
const GATHER_FOR_MS = 100

/**
 * Runs named prepared statements over a few connections in pipeline mode: queries of different requests share a
 * connection without waiting for each other's answers. For single reads only: nothing here opens a transaction.
 */
export class PreparedReader {
  readonly #lanes: Lanes
  readonly #scope: Scope

  /** Reads the rows of one organization; absent: of all. */
  constructor(lanes: Lanes, organizationId: Scope = EVERY_ORGANIZATION) {
    this.#lanes = lanes
    this.#scope = organizationId
  }

  /** The same connections, on one organization's rows: the database itself shows no other. */
  ofOrganization(organizationId: string): PreparedReader {
    return new PreparedReader(this.#lanes, organizationId)
  }

  /** When the database last answered a query, of whatever scope, on the monotonic clock of the process; a connection that broke since takes that back. */
  get answeredAt(): number {
    return this.#lanes.answeredAt
  }

  /** There is too much to do: for the next moment queries are gathered a little longer, which makes each of them cheaper. */
  readonly gather = (): void => this.#lanes.gather()

  query<Row>(statement: Statement<Row>, values: unknown[]): Promise<Row[]> {
    return this.#lanes.query(statement, values, this.#scope, 'with others')
  }

  /** For what was collected during a turn of the event loop: it waits for nothing more. */
  queryForMany<Row>(statement: Statement<Row>, values: unknown[]): Promise<Row[]> {
    return this.#lanes.query(statement, values, this.#scope, 'at once')
  }

  /**
   * The row with this id, through a statement that takes a list of ids. Lookups that leave together share one
   * query, which starts after each of them was asked for: no answer is older than its request.
   */
  find<Row extends { id: string }>(statement: Statement<Row>, id: string): Promise<Row | undefined> {
    return this.#lanes.find(statement, id, this.#scope)
  }
}

/** The pipelined connections that readers of every scope share. */
export class Lanes {
  readonly #options: pg.ClientConfig
  readonly #onError: (error: Error) => void
  readonly #lanes: Lane[] = Array.from({ length: CONNECTIONS }, () => ({ client: undefined, opening: undefined, failedAt: 0, holding: false }))
  readonly #lookups = new Map<string, Lookups>()
  #next = 0
  #answeredAt = Number.NEGATIVE_INFINITY
  #gatherUntil = Number.NEGATIVE_INFINITY
  #gathered: (() => void)[] = []
  #closed = false

  constructor(options: pg.ClientConfig, onError: (error: Error) => void) {
    this.#options = options
    this.#onError = onError
  }

  /** When the database last answered a query, on the monotonic clock of the process; a connection that broke since takes that back. */
  get answeredAt(): number {
    return this.#answeredAt
  }

  async query<Row>(statement: Statement<Row>, values: unknown[], scope: Scope, leaves: Leaves): Promise<Row[]> {
    try {
      return await this.#ask(statement, values, scope, leaves)
    } catch (error) {
      if (!isOutdated(error)) throw error
      return this.#ask(statement, values, scope, leaves)
    }
  }

  async #ask<Row>({ name, text }: Statement<Row>, values: unknown[], scope: Scope, leaves: Leaves): Promise<Row[]> {
    const lane = this.#choose()
    const client = lane.client ?? (await this.#open(lane))
    this.#holdWrites(lane, client, leaves)
    try {
      const result = await queryInScope(client, { name, text, values }, scope)
      this.#answeredAt = performance.now()
      return result.rows as Row[]
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) {
        this.#drop(lane, client)
        this.#retireAll()
      } else if (isOutdated(error) && lane.client === client) this.#retireAll()
      throw error
    }
  }

  async find<Row extends { id: string }>(statement: Statement<Row>, id: string, scope: Scope): Promise<Row | undefined> {
    const lookups = (this.#lookups.get(statement.name + scope) ?? this.#collect(statement, scope)) as Lookups<Row>
    lookups.ids.add(id)
    return (await lookups.rows).get(id)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#lanes.flatMap((lane) => lane.client?.end().catch(() => undefined) ?? []))
  }

  gather(): void {
    this.#gatherUntil = performance.now() + GATHER_FOR_MS
  }

  /** Runs `release` when what leaves with others does. */
  #whenGathered(release: () => void): void {
    if (performance.now() > this.#gatherUntil) return void setImmediate(release)
    if (this.#gathered.push(release) > 1) return
    setTimeout(() => {
      const gathered = this.#gathered
      this.#gathered = []
      for (const each of gathered) each()
    }, GATHER_MS)
  }

  /** What is asked for meanwhile leaves in one write. */
  #holdWrites(lane: Lane, client: pg.Client, leaves: Leaves): void {
    if (lane.holding) return
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    lane.holding = true
    stream.cork()
    const release = () => {
      lane.holding = false
      stream.uncork()
    }
    if (leaves === 'at once') process.nextTick(release)
    else this.#whenGathered(release)
  }

  #collect<Row extends { id: string }>(statement: Statement<Row>, scope: Scope): Lookups<Row> {
    const ids = new Set<string>()
    const rows = new Promise<void>((resolve) => this.#whenGathered(resolve)).then(async () => {
      this.#lookups.delete(statement.name + scope)
      return new Map((await this.query(statement, [[...ids]], scope, 'at once')).map((row) => [row.id, row]))
    })
    const lookups = { ids, rows }
    this.#lookups.set(statement.name + scope, lookups)
    return lookups
  }

  /** The next lane; while it has no connection, one that has, so that nobody waits for a connection in vain. */
  #choose(): Lane {
    const next = this.#lanes[this.#next++ % CONNECTIONS] as Lane
    const open = next.client ? next : this.#lanes.find((lane) => lane.client)
    if (!open || open === next) return next
    this.#open(next).catch(() => undefined)
    return open
  }

  async #open(lane: Lane): Promise<pg.Client> {
    if (this.#closed) throw unavailable('The server is shutting down.')
    if (lane.opening) return lane.opening
    if (performance.now() - lane.failedAt < RECONNECT_PAUSE_MS) throw unavailable('The database cannot be reached.')
    lane.opening = this.#connect(lane).finally(() => {
      lane.opening = undefined
    })
    return lane.opening
  }

  async #connect(lane: Lane): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#options, pipeline: true })
    client.on('error', (error) => {
      this.#onError(error)
      this.#drop(lane, client)
    })
    client.on('end', () => this.#drop(lane, client))
    try {
      await client.connect()
      await prepareScopes(client)
    } catch (error) {
      lane.failedAt = performance.now()
      this.#answeredAt = Number.NEGATIVE_INFINITY
      client.end().catch(() => undefined)
      throw error
    }
    lane.client = client
    return client
  }

  /** Where one connection broke or gave no answer, the others may be as dead; where one is outdated, they are. */
  #retireAll(): void {
    for (const lane of this.#lanes) this.#retire(lane)
  }

  #retire(lane: Lane): void {
    const { client } = lane
    if (!client) return
    lane.client = undefined
    setTimeout(() => void client.end().catch(() => undefined), RETIREMENT_MS).unref()
  }

  #drop(lane: Lane, client: pg.Client): void {
    if (lane.client !== client) return
    lane.client = undefined
    this.#answeredAt = Number.NEGATIVE_INFINITY
    client.end().catch(() => undefined)
  }
}
