import type { CallName, CallOptions, Calls, Input, Output } from '@sortie/client/calls.ts'
import { ApiError, ConnectionError } from '@sortie/client/errors.ts'
import { addressOf, type RawInput } from '@sortie/client/request.ts'
import { createWebClient } from '@sortie/client/web-client.ts'
import {
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { CALLS } from 'virtual:call-table'
import { ownWrite } from '../ui/grid/rows/live-reads.ts'

export type WebCall = CallName<'web' | 'auth'>

/** Id of the organization that a call belongs to; null for the user's own account. */
export type Tenant = string | null

/**
 * Reads that the server puts off with 503 are asked again for about 15 seconds, so that a moment of load shows as a
 * skeleton and not as an error. Writes are sent once ({@link useApiMutation}): no web write carries an idempotency key.
 */
const RETRY = { retries: 6, firstWaitMs: 300, maxWaitMs: 5_000 }

const clients = new Map<Tenant, Calls<'web' | 'auth'>>()

const clientOf = (tenant: Tenant): Calls<'web' | 'auth'> => {
  const known = clients.get(tenant)
  if (known) return known
  const client = createWebClient(CALLS, { retry: RETRY, ...(tenant !== null && { organizationId: () => tenant }) })
  clients.set(tenant, client)
  return client
}

/** Calls an operation of the contract by its name. @throws ApiError, ConnectionError */
export const call = <N extends WebCall>(
  tenant: Tenant,
  name: N,
  input?: Input<N>,
  options?: CallOptions,
): Promise<Output<N>> => {
  const send = () =>
    (clientOf(tenant)[name] as (input?: unknown, options?: CallOptions) => Promise<Output<N>>)(input, options)
  return CALLS[name]?.method === 'GET' ? send() : ownWrite(send)
}

/**
 * URL of a GET that the browser opens itself, such as a file or an export. The organization is a query parameter,
 * because a link cannot send a header.
 */
export const linkTo = <N extends WebCall>(organizationId: string, name: N, input: Input<N>): string => {
  const { params, query = {} } = input as RawInput
  return addressOfCall(name, { ...(params && { params }), query: { ...query, organizationId } })
}

/** Path and query of a call that does not use `call`, such as an upload with progress. */
export const addressOfCall = (name: WebCall, input: RawInput): string =>
  addressOf(CALLS[name] as (typeof CALLS)[string], input)

/** Key and function of a read, for useQuery and loaders. Reads of the same tenant and operation share a key prefix. */
export const query = <N extends WebCall>(tenant: Tenant, name: N, input?: Input<N>) =>
  queryOptions({
    queryKey: [tenant, name, ...(input === undefined ? [] : [input])] as const,
    queryFn: ({ signal }) => call(tenant, name, input, { signal }),
  })

interface CommandOptions<N extends WebCall> {
  /** Reads to invalidate afterwards. */
  invalidates?: readonly (readonly [Tenant, WebCall])[]
  /** Updates the cache before the response arrives; returns the rollback. */
  optimistic?: (cache: QueryClient, input: Input<N>) => (() => void) | undefined
  /** Mutations with the same name run one after another, so that the user's last choice wins. */
  inOrder?: string
  onSuccess?: (output: Output<N>, input: Input<N>) => void | Promise<void>
  onError?: (error: Error, input: Input<N>) => void
}

/** A write. It is sent once: whether an answer that never came meant "done" is for the person to see. */
export const useApiMutation = <N extends WebCall>(tenant: Tenant, name: N, options: CommandOptions<N> = {}) => {
  const cache = useQueryClient()
  return useMutation<Output<N>, Error, Input<N>, { undo: (() => void) | undefined }>({
    mutationFn: (input) => call(tenant, name, input, { retries: 0 }),
    ...(options.inOrder !== undefined && { scope: { id: options.inOrder } }),
    onMutate: async (input) => {
      if (!options.optimistic) return { undo: undefined }
      await Promise.all((options.invalidates ?? []).map((queryKey) => cache.cancelQueries({ queryKey })))
      return { undo: options.optimistic(cache, input) }
    },
    onError: (error, input, context) => {
      context?.undo?.()
      options.onError?.(error, input)
    },
    onSuccess: (output, input) => options.onSuccess?.(output, input),
    onSettled: () => Promise.all((options.invalidates ?? []).map((queryKey) => cache.invalidateQueries({ queryKey }))),
  })
}

/** Updates every cached response of an operation. @returns rollback function */
export const patchCached = <N extends WebCall>(
  cache: QueryClient,
  tenant: Tenant,
  name: N,
  change: (output: Output<N>) => Output<N>,
): (() => void) => {
  const before = cache.getQueriesData<Output<N>>({ queryKey: [tenant, name] })
  cache.setQueriesData<Output<N>>({ queryKey: [tenant, name] }, (output) => output && change(output))
  return () => {
    for (const [key, output] of before) cache.setQueryData(key, output)
  }
}

const listeners = new Set<(error: Error) => void>()

/** Subscribes to all failed calls. @returns unsubscribe function */
export const onCallFailed = (listener: (error: Error) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For calls outside of queries and mutations, which report failures themselves. */
export const reportFailure = (error: unknown): void => {
  if (error instanceof Error) for (const listener of listeners) listener(error)
}

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: reportFailure }),
    mutationCache: new MutationCache({ onError: reportFailure }),
    defaultOptions: {
      // Without a connection, calls fail immediately: a banner explains, and reads repeat afterwards. A page shown
      // again uses the cache and refetches in the background.
      queries: { networkMode: 'always', retry: false, staleTime: 0, gcTime: 10 * 60_000 },
      mutations: { networkMode: 'always', retry: false },
    },
  })

export const isRefused = (error: unknown, ...codes: ApiError['code'][]): error is ApiError =>
  error instanceof ApiError && codes.includes(error.code)

/** Error message for the user, one sentence. */
export const messageOf = (error: unknown): string => {
  if (error instanceof ConnectionError) return 'The server cannot be reached. Nothing was lost: try again in a moment.'
  if (error instanceof ApiError) return withoutField(error.message)
  return 'Something went wrong in this page. Reload it and try again.'
}

/** The prefix of `password: must have ...` names the field for programs; a user sees the message next to the field. */
const withoutField = (message: string): string => {
  const field = fieldOf(message)
  if (!field) return message
  const rest = message.slice(field.length + 2)
  return `${readable(field)} ${rest}${rest.endsWith('.') ? '' : '.'}`
}

const fieldOf = (message: string): string | undefined => /^([A-Za-z]+): /.exec(message)?.[1]

/** `ownerEmail` → `Owner email` */
const readable = (field: string): string => {
  const words = field.replace(/([A-Z])/g, ' $1').toLowerCase()
  return words[0]?.toUpperCase() + words.slice(1)
}

/** Errors for a form: at the field that a 422 names, otherwise above the button. */
export const formErrors = (
  error: unknown,
  fields: readonly string[],
): { fields: Record<string, string>; form?: string } => {
  if (error instanceof ApiError) {
    const field = fieldOf(error.message)
    if (field && fields.includes(field)) {
      const rest = error.message.slice(field.length + 2)
      return { fields: { [field]: `${rest[0]?.toUpperCase()}${rest.slice(1)}${rest.endsWith('.') ? '' : '.'}` } }
    }
  }
  return { fields: {}, form: messageOf(error) }
}
