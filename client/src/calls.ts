import type { Modules } from '@sortie/contract/contract.ts'
import type { Body, Door, Endpoint, Params, Query, Reply } from '@sortie/contract/endpoint.ts'

type Declared<M> = M extends unknown ? Extract<M[keyof M], Endpoint> : never

/** Every endpoint of the contract, as types. */
export type AnyEndpoint = Declared<Modules>

/** Endpoints that can be called through one of these doors. */
export type EndpointsOf<D extends Door> = AnyEndpoint extends infer E
  ? E extends Endpoint
    ? D & E['doors'][number] extends never
      ? never
      : E
    : never
  : never

/** Names of the methods: the operationIds of the contract. */
export type CallName<D extends Door = Door> = EndpointsOf<D>['id']

type Named = { [E in AnyEndpoint as E['id']]: E }

export type EndpointNamed<N extends CallName> = Named[N]

/** Leaves out what is empty, and makes optional what may be left out. */
type Part<K extends string, T> = [T] extends [undefined] ? {} : keyof T extends never ? {} : {} extends T ? { [P in K]?: T } : { [P in K]: T }

/** A file to upload. A stream is sent once, since it can be read once: it is not tried again. */
export type Bytes = Blob | ReadableStream<Uint8Array>

type BodyPart<E extends Endpoint> = E['takes'] extends 'bytes' ? { body: Bytes } : Part<'body', Body<E>>

/** What a call is made of: `params` of its path, `query`, `body`. */
export type Input<N extends CallName> = Part<'params', Params<EndpointNamed<N>>> & Part<'query', Query<EndpointNamed<N>>> & BodyPart<EndpointNamed<N>>

/** The whole answer of a call, `{ data }` or `{ data, meta }`; for a stored file the Response, whose body is still to be read. */
export type Output<N extends CallName> = EndpointNamed<N>['produces'] extends 'file' | 'events' ? Response : Reply<EndpointNamed<N>>

export interface CallOptions {
  /** Ends the request, and the waiting between tries; the promise rejects with the signal's reason. */
  signal?: AbortSignal
  /** How often this call is tried again at most; absent: as the client was told. */
  retries?: number
  /**
   * Of a POST with an API key: what names it when it is sent again, 1 to 255 visible ASCII characters. Absent: a new one
   * for each call. Give your own to repeat a call after your program was restarted, within 24 hours.
   */
  idempotencyKey?: string
  /** More headers of the request. */
  headers?: Record<string, string>
}

type Call<N extends CallName> =
  {} extends Input<N> ? (input?: Input<N>, options?: CallOptions) => Promise<Output<N>> : (input: Input<N>, options?: CallOptions) => Promise<Output<N>>

/** One method per operation that these doors offer. */
export type Calls<D extends Door> = { [N in CallName<D>]: Call<N> }
