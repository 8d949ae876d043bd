import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { trustedBy } from './address.ts'

/** Of nginx, Caddy, HAProxy and the usual gateways. Nothing in it can end a line or a header. */
const REQUEST_ID = /^[\w.:=+/-]{8,128}$/
/** https://www.w3.org/TR/trace-context-2/#traceparent-header */
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/
const ZEROS = /^0+$/

/** The trace and the span that a caller is in, as hexadecimal digits. */
export interface TraceParent {
  traceId: string
  spanId: string
  /** Whether the caller records the trace. */
  isSampled: boolean
}

/** @returns undefined for a value that the standard does not allow */
export const parseTraceparent = (value: unknown): TraceParent | undefined => {
  const [, version, traceId = '', spanId = '', flags = ''] =
    (typeof value === 'string' && TRACEPARENT.exec(value)) || []
  if (version === undefined || version === 'ff' || ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Reports whether the other end of a request's connection is a proxy of `TRUST_PROXY`. */
export const proxyTrust = (proxies: readonly string[] | undefined): ((request: IncomingMessage) => boolean) => {
  const isTrusted = trustedBy(proxies ?? [])
  return ({ socket }) => isTrusted(socket.remoteAddress ?? '')
}

/**
 * Names requests: with the `X-Request-Id` that a trusted proxy sends, or with the trace of its `traceparent`, so that
 * its log and this one name a request alike; all others, and those with an invalid value, with a random id.
 */
export const requestIds = (isTrusted: (request: IncomingMessage) => boolean) => {
  return (request: IncomingMessage): string => {
    if (!isTrusted(request)) return randomUUID()
    const { 'x-request-id': id, traceparent } = request.headers
    if (typeof id === 'string' && REQUEST_ID.test(id)) return id
    return parseTraceparent(traceparent)?.traceId ?? randomUUID()
  }
}
