import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Body, Endpoint, Params, Query, Reply } from '@sortie/contract/core/endpoint.ts'
import type { Guard } from '@sortie/contract/core/scopes.ts'
import type { Actor, Person } from '../../auth/actor.ts'
import type { Clock } from '../../clock.ts'
import type { Outside } from '../../concurrency/outside.ts'
import type { Config } from '../../config.ts'
import type { Keys } from '../../crypto.ts'
import type { RunChange } from '../../database/change.ts'
import type { Database, OpenDatabase } from '../../database/connection/open.ts'
import type { EngagementVisibility } from '../../database/scope/tenant-scope.ts'
import type { EventStream } from '../../events/event-stream.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Logger } from '../../log.ts'
import type { SafeMode } from '../../safe-mode/safe-mode.ts'
import type { Cookies } from '../answers/cookies.ts'
import type { Download } from '../answers/downloads.ts'

/** Services for every handler and job; main.ts or a test creates them once. */
export interface Platform {
  config: Config
  keys: Keys
  clock: Clock
  /** The rows of every organization. A handler gets a narrower one: the caller's organization only, if there is one. */
  db: Database
  /**
   * The database as one organization sees it. Without an `EngagementVisibility` it sees all engagements, like the server itself.
   */
  scopedTo(organizationId: string, viewer?: EngagementVisibility): Database
  waitForTurn: OpenDatabase['waitForTurn']
  jobs: Jobs
  log: Logger
  /** Controls whether anything may leave this instance. */
  safeMode: SafeMode
}

/** The platform of a caller that changes data. */
export interface Writer extends Platform {
  /**
   * Opens the transaction of a change. In a handler it is limited to the caller's scope and checks that the caller may still make
   * the change.
   */
  change: RunChange
}

/** The caller, as far as the endpoint's guard guarantees it. */
type Caller<G extends Guard> = G extends 'public'
  ? { actor: undefined; person: Person | undefined }
  : G extends 'session' | 'instance-admin'
    ? { actor: undefined; person: Person }
    : G extends 'role:admin' | 'role:owner'
      ? { actor: Actor; person: Person }
      : { actor: Actor; person: Person | undefined }

/** The input of a handler. */
export type RequestContext<E extends Endpoint> = Writer &
  Caller<E['scope']> & {
    params: Params<E>
    query: {
      [K in keyof Required<Query<E>>]: K extends Defaulted
        ? Exclude<Query<E>[K], undefined>
        : {} extends Pick<Query<E>, K>
          ? Query<E>[K] | undefined
          : Query<E>[K]
    }
    /** For an endpoint that takes bytes: the file as it arrives, readable once. */
    body: E['takes'] extends 'bytes' ? Readable : Body<E>
    /** Counts the bytes of such a file that are in memory so far. @throws ApiError 503 when all uploads together use too much */
    holdUpload(bytes: number): void
    /** Network address of the client; behind trusted proxies, the one that they report. */
    address: string
    userAgent: string
    headers: IncomingHttpHeaders
    cookies: Cookies
    /**
     * Waits for an external server without occupying a slot of the overload limit. The caller bounds how many wait, and holds no
     * transaction.
     */
    outside: Outside
  }

/** Query parameters with a default in the contract: always present once parsed. */
type Defaulted = 'page' | 'perPage' | 'sort' | 'order'

/**
 * The reply of the contract; a document may come in pieces, a stored file is sent from the disk, and events are sent as they
 * happen.
 */
type Answer<E extends Endpoint> = E['produces'] extends 'file'
  ? Download
  : E['produces'] extends 'events'
    ? EventStream
    : Reply<E> | (E['produces'] extends object ? AsyncIterable<string | Uint8Array> : never)

export type Handler<E extends Endpoint> = (context: RequestContext<E>) => Promise<Answer<E>>

export interface Route {
  endpoint: Endpoint
  handle(context: RequestContext<Endpoint>): Promise<unknown>
}

/** Joins an endpoint of the contract with the function that serves it. */
export const route = <E extends Endpoint>(endpoint: E, handle: Handler<E>): Route =>
  ({ endpoint, handle }) as unknown as Route
