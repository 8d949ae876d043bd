import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Download } from '../../answers/downloads.ts'
import { contextOf } from './call.ts'
import type { DownloadMounting } from './mounting.ts'
import type { Input } from './parse.ts'

/** A browser loads this image for a page that shows it, such as a wiki page. */
export const isShownInPage = (request: FastifyRequest, { isInline, mediaType }: Download): boolean =>
  isInline && mediaType.startsWith('image/') && request.headers['sec-fetch-dest'] === 'image'

/** Records that a file leaves the product, before its first byte is sent. HEAD sends none. */
export const noteDownload = async (
  mounting: DownloadMounting,
  request: FastifyRequest,
  reply: FastifyReply,
  input: Input,
  fileName: string,
): Promise<void> => {
  const context = contextOf(mounting, request, reply, input, undefined)
  if (request.method === 'HEAD' || !context.actor) return
  await mounting.recordDownload(context, context.actor, {
    endpointId: mounting.endpoint.id,
    fileName,
    params: input.params as Record<string, string>,
    query: input.query,
  })
}
