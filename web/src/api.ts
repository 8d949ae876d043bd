import type { CallName, CallOptions, Calls, Input, Output } from '@sortie/client/calls.ts'
import { ApiError, ConnectionError } from '@sortie/client/errors.ts'
import { addressOf, type RawInput } from '@sortie/client/request.ts'
import { createWebClient } from '@sortie/client/web-client.ts'
import { MutationCache, QueryCache, QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { CALLS } from 'virtual:call-table'
import { ownWrite } from './ui/grid/live-reads.ts'

export type WebCall = CallName<'web' | 'auth'>

/** Whom a call is about: the id of an organization, or nobody but the signed-in person. */
export type Tenant = string | null

const RETRY = { retries: 2, firstWaitMs: 300, maxWaitMs: 4_000 }

const clients = new Map<Tenant, Calls<'web' | 'auth'>>()

const clientOf = (tenant: Tenant): Calls<'web' | 'auth'> => {
  const known = clients.get(tenant)
  if (known) return known
  const client = createWebClient(CALLS, { retry: RETRY, ...(tenant !== null && { organizationId: () => tenant }) })
  clients.set(tenant, client)
  return client
}

/** Calls an operation of the contract by its name. @throws ApiError, ConnectionError */
export const call = <N extends WebCall>(tenant: Tenant, name: N, input?: Input<N>, options?: CallOptions): Promise<Output<N>> => {
  const send = () => (clientOf(tenant)[name] as (input?: unknown, options?: CallOptions) => Promise<Output<N>>)(input, options)
  return CALLS[name]?.method === 'GET' ? send() : ownWrite(send)
}

/**
 * Where the browser itself opens a GET: a link to a file, an export. The organization stands in its query, since a link
 * cannot send a header.
 */
export const linkTo = <N extends WebCall>(organizationId: string, name: N, input: Input<N>): string => {
  const { params, query = {} } = input as RawInput
  return addressOfCall(name, { ...(params && { params }), query: { ...query, organization: organizationId } })
}

/** Path and query of a call that is sent in a way of its own, such as an upload that tells how far it is. */
export const addressOfCall = (name: WebCall, input: RawInput): string => addressOf(CALLS[name] as (typeof CALLS)[string], input)

/** Key and function of a read, for useQuery and for loaders. Everything of one tenant and operation shares a key prefix. */
export const query = <N extends WebCall>(tenant: Tenant, name: N, input?: Input<N>) =>
  queryOptions({
    queryKey: [tenant, name, ...(input === undefined ? [] : [input])] as const,
    queryFn: ({ signal }) => call(tenant, name, input, { signal }),
  })

interface CommandOptions<N extends WebCall> {
  /** Reads that are stale afterwards. */
  invalidates?: readonly (readonly [Tenant, WebCall])[]
  /** Changes the cache before the answer is there; returns what takes that back. */
  optimistic?: (cache: QueryClient, input: Input<N>) => (() => void) | undefined
  /** Commands of the same name are sent one after the other, so that the last choice of the person is the one that stays. */
  inOrder?: string
  onSuccess?: (output: Output<N>, input: Input<N>) => void | Promise<void>
  onError?: (error: Error, input: Input<N>) => void
}

/** A write. It is sent once: whether an answer that never came meant "done" is for the person to see. */
export const useCommand = <N extends WebCall>(tenant: Tenant, name: N, options: CommandOptions<N> = {}) => {
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

/** Changes every cached answer of an operation. @returns what puts the old ones back */
export const patchCached = <N extends WebCall>(cache: QueryClient, tenant: Tenant, name: N, change: (output: Output<N>) => Output<N>): (() => void) => {
  const before = cache.getQueriesData<Output<N>>({ queryKey: [tenant, name] })
  cache.setQueriesData<Output<N>>({ queryKey: [tenant, name] }, (output) => output && change(output))
  return () => {
    for (const [key, output] of before) cache.setQueryData(key, output)
  }
}

const listeners = new Set<(error: Error) => void>()

/** Told of every call that failed, whoever made it. @returns what ends that */
export const onCallFailed = (listener: (error: Error) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For calls that are made outside of queries and commands: those tell by themselves. */
export const reportFailure = (error: unknown): void => {
  if (error instanceof Error) for (const listener of listeners) listener(error)
}

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: reportFailure }),
    mutationCache: new MutationCache({ onError: reportFailure }),
    defaultOptions: {
      // What fails for want of a connection says so at once: the banner explains, and everything is read again afterwards.
      // What a page shows again is there at once, from the cache, and is read anew behind it.
      queries: { networkMode: 'always', retry: false, staleTime: 0, gcTime: 10 * 60_000 },
      mutations: { networkMode: 'always', retry: false },
    },
  })

export const isRefused = (error: unknown, ...codes: ApiError['code'][]): error is ApiError => error instanceof ApiError && codes.includes(error.code)

/** One sentence for a person. */
export const messageOf = (error: unknown): string => {
  if (error instanceof ConnectionError) return 'The server cannot be reached. Nothing was lost: try again in a moment.'
  if (error instanceof ApiError) return withoutField(error.message)
  return 'Something went wrong in this page. Reload it and try again.'
}

/** `password: must have ...` names the field for programs; a person sees it beside the field. */
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

/** What a form shows: beside the field that a 422 names, else above the button. */
export const formErrors = (error: unknown, fields: readonly string[]): { fields: Record<string, string>; form?: string } => {
  if (error instanceof ApiError) {
    const field = fieldOf(error.message)
    if (field && fields.includes(field)) {
      const rest = error.message.slice(field.length + 2)
      return { fields: { [field]: `${rest[0]?.toUpperCase()}${rest.slice(1)}${rest.endsWith('.') ? '' : '.'}` } }
    }
  }
  return { fields: {}, form: messageOf(error) }
}
