import type { Modules } from '@sortie/contract/core/contract.ts'
import type { Body, Door, Endpoint, Params, Query, Reply } from '@sortie/contract/core/endpoint.ts'

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

/** Omits empty parts, and makes a part optional if all of its fields are. */
type Part<K extends string, T> = [T] extends [undefined]
  ? {}
  : keyof T extends never
    ? {}
    : {} extends T
      ? { [P in K]?: T }
      : { [P in K]: T }

/** A file to upload. A stream can be read only once, so it is not retried. */
export type Bytes = Blob | ReadableStream<Uint8Array>

type BodyPart<E extends Endpoint> = E['consumes'] extends 'bytes' ? { body: Bytes } : Part<'body', Body<E>>

/** The input of a call: `params` of its path, `query`, `body`. */
export type Input<N extends CallName> = Part<'params', Params<EndpointNamed<N>>> &
  Part<'query', Query<EndpointNamed<N>>> &
  BodyPart<EndpointNamed<N>>

/** The whole answer of a call, `{ data }` or `{ data, meta }`; for a stored file the Response, with its body unread. */
export type Output<N extends CallName> = EndpointNamed<N>['produces'] extends 'file' | 'events'
  ? Response
  : Reply<EndpointNamed<N>>

export interface CallOptions {
  /** Ends the request, and the wait between retries; the promise rejects with the signal's reason. */
  signal?: AbortSignal
  /** Maximum number of retries of this call; by default, that of the client. */
  retries?: number
  /**
   * For a POST with an API key: identifies it when it is sent again, 1 to 255 visible ASCII characters. By default, a
   * new one for each call. Pass your own to repeat a call after a restart of your program, within 24 hours.
   */
  idempotencyKey?: string
  /** More headers of the request. */
  headers?: Record<string, string>
}

type Call<N extends CallName> =
  {} extends Input<N>
    ? (input?: Input<N>, options?: CallOptions) => Promise<Output<N>>
    : (input: Input<N>, options?: CallOptions) => Promise<Output<N>>

/** One method per operation at these doors. */
export type Calls<D extends Door> = { [N in CallName<D>]: Call<N> }
