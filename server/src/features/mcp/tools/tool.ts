import type { Endpoint } from '@sortie/contract/core/endpoint.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Arguments, InputSchema } from './input.ts'

/** A reference to a resource of this server, for the client to read. */
export interface Link {
  uri: string
  name: string
}

/** The object that an endpoint replies with, as far as tools read it. */
// oxlint-disable-next-line typescript/no-explicit-any -- the contract filters every reply, the tools only arrange it
export type Reply = { data: any; meta?: any }

/** One call of a tool, by a key. */
export interface ToolCall {
  actor: Actor
  args: Arguments
  permits(endpoint: Endpoint): boolean
  /**
   * Calls an endpoint as a request with the same key would.
   *
   * @param file the body of an endpoint that takes bytes
   * @throws ApiError as the endpoint
   */
  call(endpoint: Endpoint, args: Arguments, file?: Buffer): Promise<Reply>
}

export interface ToolAnswer {
  /** Becomes compact JSON. */
  value: unknown
  links?: readonly Link[]
}

/** A tool is a declared way to call endpoints: it has no access of its own. */
export interface Tool {
  name: string
  title: string
  /** For a model. */
  description: string
  /** All that it calls. */
  endpoints: readonly Endpoint[]
  /** A key without one of these does not see the tool; by default, one of `endpoints` is enough. */
  required?: readonly Endpoint[]
  input: InputSchema
  /** It sends something to hosts outside of Sortie. */
  isOpenWorld?: boolean
  run(call: ToolCall): Promise<ToolAnswer>
}

/** Reports whether an endpoint changes nothing: it needs no more than a scope that reads. */
export const isRead = ({ method, scope }: Endpoint): boolean => method === 'GET' || scope.endsWith(':read')

/** What a client may assume of a tool; it follows from the methods of the endpoints. */
export const annotationsOf = ({ title, endpoints, isOpenWorld = false }: Tool) => {
  const changes = endpoints.filter((endpoint) => !isRead(endpoint))
  return {
    title,
    readOnlyHint: changes.length === 0,
    destructiveHint: changes.some(({ method }) => method !== 'POST'),
    idempotentHint: changes.every(({ method }) => method !== 'POST'),
    openWorldHint: isOpenWorld,
  }
}

/** Reports whether a caller sees a tool. */
export const isOffered = ({ endpoints, required }: Tool, permits: (endpoint: Endpoint) => boolean): boolean =>
  required ? required.every(permits) : endpoints.some(permits)
