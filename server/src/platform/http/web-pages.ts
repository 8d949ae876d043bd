import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { negotiate } from '@fastify/accept-negotiator'
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

/** Encodings that the build leaves beside a file, the best first. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const
type Encoding = keyof typeof ENCODINGS
const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/**
 * Serves `/assets/*`: each has its content's hash in its name, so that it never changes. What is not there is 404, not the
 * page. A route per file that is there: what a request spells never becomes a path on the disk. They are kept in memory, a
 * few megabytes: however many clients take them slowly, they are there once.
 */
export const mountAssets = (app: FastifyInstance, { directory }: WebPages, limits: RequestLimits): void => {
  const folder = path.join(directory, 'assets')
  const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name))]))
  const isEncoded = (name: string) => Object.values(ENCODINGS).some((ending) => name.endsWith(ending) && files.has(name.slice(0, -ending.length)))
  for (const [name, content] of files) {
    if (isEncoded(name)) continue
    const encodings = (Object.keys(ENCODINGS) as Encoding[]).filter((encoding) => files.has(name + ENCODINGS[encoding]))
    const headers = {
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': TYPES[path.extname(name)] ?? 'application/octet-stream',
      vary: 'Accept-Encoding',
    }
    app.get(`/assets/${name}`, { onRequest: (request, reply) => limits.uncounted(reply, request.ip) }, (request, reply) => {
      const encoding = negotiate(request.headers['accept-encoding'] ?? '', encodings)
      if (encoding) reply.header('content-encoding', encoding)
      void reply.headers(headers).send(encoding ? files.get(name + ENCODINGS[encoding]) : content)
    })
  }
}
