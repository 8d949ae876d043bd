import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestLimits } from './limits.ts'

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

/** The built web interface: one page for every address that is no file. */
export interface WebPages {
  directory: string
  /** Whether a request that no route took is a browser's for a page of the web interface. */
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
    isFor: ({ method, raw, headers }) => {
      const isPage = !/^\/(?:api|assets|metrics)(?:[/?]|$)/.test(raw.url ?? '')
      return isPage && (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html')
    },
    answer: (reply) => reply.headers({ 'content-security-policy': PAGE_CONTENT_SECURITY_POLICY, 'content-type': 'text/html; charset=utf-8' }).send(page),
  }
}

/** Serves `/assets/*`: each has its content's hash in its name, so that it never changes. What is not there is 404, not the page. */
export const mountAssets = (app: FastifyInstance, { directory }: WebPages, limits: RequestLimits): void => {
  app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply) => limits.uncounted(reply, request.ip))
    await scope.register(fastifyStatic, {
      root: path.join(directory, 'assets'),
      prefix: '/assets/',
      // A route per file that is there: what a request spells never becomes a path on the disk.
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      etag: false,
      lastModified: false,
      setHeaders: (reply) => {
        reply.header('cache-control', 'public, max-age=31536000, immutable')
      },
    })
  })
}
