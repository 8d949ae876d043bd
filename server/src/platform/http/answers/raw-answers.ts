import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type ApiError, badRequest, notFound } from '../../errors.ts'
import type { RequestLimits } from '../limits/rate-limit.ts'

/** Largest head of a request, in bytes. */
export const MAX_HEADER_BYTES = 16_384

const UNREADABLE: Record<string, string> = {
  HPE_HEADER_OVERFLOW: `The headers are larger than ${MAX_HEADER_BYTES} bytes.`,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
}

/** A body that did not arrive in time. */
export class LateBody extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT'
}

/** Headers that depend on the request. */
export type HeadersFor = (url: string | undefined, origin: string | undefined) => Record<string, string>

/** Answers bytes that are not HTTP and requests that stayed incomplete; closes the connection. */
export const answerUnreadable = (
  error: Error & { code?: string },
  socket: Socket,
  headers: Record<string, string>,
  limits: RequestLimits,
): void => {
  // Further bytes cannot complete the request: this is the only answer on the connection.
  socket.pause()
  if (error.code === 'ECONNRESET' || socket.destroyed) socket.destroy()
  else
    void answer(socket, badRequest(UNREADABLE[error.code ?? ''] ?? 'The request is not valid HTTP.'), headers, limits)
}

/** Enough time for the answer to leave; bytes from the client do not extend it (S35). */
const CLOSE_AFTER_MS = 1_000

/** Answers CONNECT and `Expect` headers, which Node reports as separate events that Fastify does not see. */
export const answerUnrouted = ({ server }: FastifyInstance, headersFor: HeadersFor, limits: RequestLimits): void => {
  server.on('connect', (request, socket) => {
    // Node has removed its own listener: a reset would end the process (S26).
    socket.on('error', () => socket.destroy())
    void answer(socket as Socket, notFound('There is no such endpoint.'), headersFor(request.url, undefined), limits)
  })
  server.on('checkExpectation', ({ url, headers }, { socket }) => {
    if (socket)
      void answer(
        socket,
        badRequest('Expect: only 100-continue is supported.'),
        headersFor(url, headers.origin),
        limits,
      )
  })
}

const answer = async (
  socket: Socket,
  error: ApiError,
  headers: Record<string, string>,
  limits: RequestLimits,
): Promise<void> => {
  const body = JSON.stringify(error.body)
  const all = {
    ...headers,
    ...(await limits.rawHeaders(socket.remoteAddress ?? '')),
    'x-request-id': randomUUID(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  if (!socket.writable) return void socket.destroy()
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref()
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`)
  // Only reading notices that the other side has closed.
  socket.resume()
}
