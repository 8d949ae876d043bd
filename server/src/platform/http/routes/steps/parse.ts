import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Door, Endpoint } from '@sortie/contract/core/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../../config.ts'
import { badRequest, tooLarge } from '../../../errors.ts'
import { parseJsonObject } from '../../../text/json.ts'
import type { Mounting } from './mounting.ts'

/** The input of a request, as the endpoint declares it. */
export interface Input {
  params: unknown
  query: { wait?: number; format?: string }
  /** A stream if the endpoint takes bytes. */
  body: unknown
}

/**
 * Parses a request whose body is JSON, or that has none. Refuses in the order of open point 13.
 *
 * @throws ApiError BAD_REQUEST, VALIDATION_ERROR, NOT_FOUND for a parameter that is not an id
 */
export const parseJson = ({ endpoint, parser }: Mounting, request: FastifyRequest): Input => {
  const raw = readBody(request, endpoint)
  const query = parser.query(queryStringOf(request)) as Input['query']
  const body = parser.body(raw)
  return { query, body, params: parser.params(request.params as Record<string, string>) }
}

/**
 * Parses a request whose body is a file, which stays unread. @throws ApiError as `parseJson`, also for a file of too
 * great a length
 */
export const parseUpload = (
  { parser, bodyLimit }: Mounting,
  request: FastifyRequest,
): Input & { body: IncomingMessage } => {
  const query = parser.query(queryStringOf(request)) as Input['query']
  const body = openUpload(request, bodyLimit)
  return { query, body, params: parser.params(request.params as Record<string, string>) }
}

const queryStringOf = (request: FastifyRequest): string => {
  const url = request.raw.url ?? ''
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*(?:charset[ \t]*=[ \t]*"?utf-8"?[ \t]*(?:;[ \t]*)?)?)?$/i

/** The body as an object; undefined if the endpoint needs none and none was sent. */
const readBody = (request: FastifyRequest, endpoint: Endpoint): Record<string, unknown> | undefined => {
  const bytes = request.body as Buffer | undefined
  const empty = !bytes || bytes.length === 0
  if (empty && !endpoint.body) return undefined
  if (empty && endpoint.bodyIsOptional) return {}
  const contentType = request.headers['content-type'] ?? ''
  if (!JSON_TYPE.test(contentType)) throw badRequest('Content-Type must be application/json, in UTF-8.')
  refuseEncoding(request.headers)
  if (empty) throw badRequest('The body is empty: send a JSON object.')
  return parseJsonObject(bytes, endpoint.bodyLimits?.keys)
}

const refuseEncoding = ({ 'content-encoding': encoding }: IncomingHttpHeaders): void => {
  if (encoding && encoding !== 'identity')
    throw badRequest('Content-Encoding is not supported: send the body as it is.')
}

/** @throws ApiError BAD_REQUEST before reading anything, if its announced length is too large */
const openUpload = ({ raw }: FastifyRequest, maxBytes: number): IncomingMessage => {
  refuseEncoding(raw.headers)
  if (Number(raw.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  return raw
}

/** Fits the longest passkey response, with its field names. */
const PUBLIC_BODY_LIMIT_BYTES = 16_384

/**
 * Largest body of an endpoint at a door, in bytes; a larger one gets 400 without being read. Files have their own
 * limit, and endpoints can have one. Without authentication (guard `public`, and the sign-in door) it is 16 KiB at most
 * (abuse case I15).
 */
export const bodyLimitOf = (
  { scope, consumes, bodyLimits }: Pick<Endpoint, 'scope' | 'consumes' | 'bodyLimits'>,
  door: Door,
  { BODY_LIMIT_BYTES, UPLOAD_LIMIT_BYTES }: Pick<Config, 'BODY_LIMIT_BYTES' | 'UPLOAD_LIMIT_BYTES'>,
): number => {
  if (consumes === 'bytes') return UPLOAD_LIMIT_BYTES
  const limit = bodyLimits?.bytes ?? BODY_LIMIT_BYTES
  return scope === 'public' || door === 'auth' ? Math.min(PUBLIC_BODY_LIMIT_BYTES, limit) : limit
}
