import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestLimits } from '../limits/rate-limit.ts'

/** The page runs scripts and styles of this server only: no inline ones, no external ones. */
export const PAGE_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  // The preview of a report, which is sandboxed and runs nothing.
  "frame-src 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Addresses that are never a page, in any spelling of the first word; the target may be in absolute form. */
const NO_PAGE = /^(?:https?:\/\/[^/]*)?\/+(?:api|assets|metrics)(?:[/?]|$)/i

/** The built web interface: one page for every address that is not a file. */
export interface WebPages {
  directory: string
  /**
   * Reports whether an unrouted request is for a page of the web interface, rather than from a program that expects
   * JSON.
   */
  isFor(request: FastifyRequest): boolean
  answer(reply: FastifyReply): FastifyReply
}

/**
 * @param directory the output of the build
 * @returns undefined without a build: the API works without one
 */
export const openWebPages = (directory: string): WebPages | undefined => {
  const file = path.join(directory, 'index.html')
  if (!existsSync(file)) return undefined
  const page = readFileSync(file)
  return {
    directory,
    isFor: ({ method, raw, headers: { accept = '' } }) => {
      const wantsJson = /[/+]json\b/i.test(accept) && !/text\/html/i.test(accept)
      return (method === 'GET' || method === 'HEAD') && !NO_PAGE.test(raw.url ?? '') && !wantsJson
    },
    answer: (reply) =>
      reply
        .headers({
          'content-security-policy': PAGE_CONTENT_SECURITY_POLICY,
          'content-type': 'text/html; charset=utf-8',
        })
        .send(page),
  }
}

/** Media types of all files of the build. */
const MEDIA_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Compressed variants that the build writes next to a file, best first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
]

/**
 * Serves `/assets/*` from memory, so that a slow reader holds neither a descriptor nor a copy (S25). Each file name
 * contains its content's hash, so a file never changes. Each file has a route: the spelling of a request never becomes
 * a path on the disk.
 *
 * @throws Error for a file whose media type is not listed
 */
export const mountAssets = (app: FastifyInstance, { directory }: WebPages, limits: RequestLimits): void => {
  const assets = path.join(directory, 'assets')
  const names = readdirSync(assets)
  for (const name of names.filter((each) => !ENCODINGS.some(({ suffix }) => each.endsWith(suffix)))) {
    const mediaType = MEDIA_TYPES[path.extname(name)]
    if (mediaType === undefined) throw new Error(`${name}: the media type of ${path.extname(name)} is not known`)
    const plain = readFileSync(path.join(assets, name))
    const encoded = ENCODINGS.filter(({ suffix }) => names.includes(name + suffix)).map((encoding) => ({
      name: encoding.name,
      bytes: readFileSync(path.join(assets, name + encoding.suffix)),
    }))
    app.route({
      method: 'GET',
      url: `/assets/${name}`,
      config: { servesUnderLoad: true, servesAlways: true },
      onRequest: (request, reply) => limits.uncounted(reply, request.ip),
      handler: async (request, reply) => {
        const found = encoded.find((encoding) => accepts(request.headers['accept-encoding'], encoding.name))
        reply.type(mediaType).header('cache-control', 'public, max-age=31536000, immutable')
        if (encoded.length > 0) reply.header('vary', 'accept-encoding')
        if (found) reply.header('content-encoding', found.name)
        return reply.send(found?.bytes ?? plain)
      },
    })
  }
}

/** Reports whether a client accepts an encoding (RFC 9110, section 12.5.3); weight 0 means no. */
const accepts = (header: string | string[] | undefined, encoding: string): boolean =>
  String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
    .some(([name, weight = 'q=1']) => name === encoding && Number(weight.replace('q=', '')) > 0)
