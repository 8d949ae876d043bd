import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestLimits } from './rate-limit.ts'

/** The page runs the scripts and styles of this server and nothing else: no inline ones, nothing from elsewhere. */
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
  "frame-ancestors 'none'",
].join('; ')

/** Addresses that are never a page, in any spelling of the first word; the target may be in absolute form. */
const NO_PAGE = /^(?:https?:\/\/[^/]*)?\/+(?:api|assets|metrics)(?:[/?]|$)/i

/** The built web interface: one page for every address that is no file. */
export interface WebPages {
  directory: string
  /** Whether a request that no route took is for a page of the web interface, rather than of a program that wants JSON. */
  isFor(request: FastifyRequest): boolean
  answer(reply: FastifyReply): FastifyReply
}

/**
 * @param directory what the build made
 * @returns undefined where there is no build: the API works without
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
    answer: (reply) => reply.headers({ 'content-security-policy': PAGE_CONTENT_SECURITY_POLICY, 'content-type': 'text/html; charset=utf-8' }).send(page),
  }
}

/**
 * Serves `/assets/*`: each has its content's hash in its name, so that it never changes. A route per file that is there:
 * what a request spells never becomes a path on the disk, and what is not there is 404.
 */
export const mountAssets = (app: FastifyInstance, { directory }: WebPages, limits: RequestLimits): void => {
  app.register(async (assets) => {
    assets.addHook('onRequest', (request, reply) => limits.uncounted(reply, request.ip))
    await assets.register(fastifyStatic, {
      root: path.join(directory, 'assets'),
      prefix: '/assets/',
      wildcard: false,
      // What the build compressed stands beside each file, and is sent in its place.
      globIgnore: ['**/*.br', '**/*.gz'],
      preCompressed: true,
      index: false,
      maxAge: '1y',
      immutable: true,
      etag: false,
      lastModified: false,
      acceptRanges: false,
      decorateReply: false,
    })
  })
}
