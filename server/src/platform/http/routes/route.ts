import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Body, Endpoint, Params, Query, Reply } from '@sortie/contract/core/endpoint.ts'
import type { Guard } from '@sortie/contract/core/scopes.ts'
import type { Actor, Person } from '../../auth/actor.ts'
import type { Outside } from '../../concurrency/outside.ts'
import type { Writer } from '../../context.ts'
import type { EventStream } from '../../events/event-stream.ts'
import type { Cookies } from '../answers/cookies.ts'
import type { Download } from '../answers/downloads.ts'

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
    body: E['consumes'] extends 'bytes' ? Readable : Body<E>
    /**
     * Counts the bytes of such a file that are in memory so far. @throws ApiError 503 when all uploads together use too
     * much
     */
    holdUpload(bytes: number): void
    /** Network address of the client; behind trusted proxies, the one that they report. */
    address: string
    userAgent: string
    headers: IncomingHttpHeaders
    cookies: Cookies
    /**
     * Waits for an external server without occupying a slot of the overload limit. The caller bounds how many wait, and
     * holds no transaction.
     */
    outside: Outside
  }

/** Query parameters with a default in the contract: always present once parsed. */
type Defaulted = 'page' | 'perPage' | 'sort' | 'order'

/**
 * The reply of the contract; a document may come in pieces, a stored file is sent from the disk, and events are sent as
 * they happen.
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
