import { Readable } from 'node:stream'
import type { Document, Endpoint } from '@sortie/contract/core/endpoint.ts'
import fastJson, { type Schema } from 'fast-json-stringify'
import type { FastifyReply } from 'fastify'
import { firstUse } from '../validate.ts'

/** The serializer of an endpoint's reply, one for all doors. Compiled on first use: compiling all takes a second. */
export const replySerializer = (endpoint: Endpoint): ((reply: unknown) => string) => {
  const known = SERIALIZERS.get(endpoint)
  if (known) return known
  // Formats apply to input only.
  const serializer = firstUse<unknown, string>(() =>
    fastJson(endpoint.reply as Schema, { ajv: { validateFormats: false } }),
  )
  SERIALIZERS.set(endpoint, serializer)
  return serializer
}

const SERIALIZERS = new WeakMap<Endpoint, (reply: unknown) => string>()

const JSON_ANSWER = 'application/json; charset=utf-8'

/** Sends the handler's result as JSON, by the reply schema unless there is another serializer. */
export const sendJson = (
  reply: FastifyReply,
  result: unknown,
  serialize: ((result: unknown) => string) | undefined,
): FastifyReply => (serialize ? reply.type(JSON_ANSWER).send(serialize(result)) : reply.send(result))

/**
 * Of a page that the web interface shows in a frame, and whose place on the screen it reads: nothing in it runs, and it
 * loads nothing.
 */
const FRAMED_CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin"

/** Streams a document while it is made: a long one does not have to fit into memory. */
export const sendDocument = (
  reply: FastifyReply,
  { type, fileName, isPage }: Document,
  content: unknown,
): FastifyReply => {
  reply.type(type).header('content-disposition', `${isPage ? 'inline' : 'attachment'}; filename="${fileName}"`)
  if (isPage) reply.header('content-security-policy', FRAMED_CONTENT_SECURITY_POLICY)
  return reply.send(
    typeof content === 'string' ? content : Readable.from(content as AsyncIterable<string | Uint8Array>),
  )
}
