import { randomUUID } from 'node:crypto'
import fastifyCookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Config } from '../config.ts'
import { badRequest, notFound, type OverloadReason, unavailable } from '../errors.ts'
import type { Logger } from '../log.ts'
import { handleErrors, sendError } from './error-handler.ts'
import { securityHeaders } from './headers.ts'
import { hostCheck } from './host-check.ts'
import type { RequestLimits } from './limits.ts'
import { addListenOn } from './listeners.ts'
import { limitLoad } from './overload.ts'
import { answerUnreadable, answerUnrouted, type HeadersFor, MAX_HEADER_BYTES } from './raw-answers.ts'
import { v1Headers } from './v1-headers.ts'

/** With the interval at which they are checked, no slow client holds a connection for 20 s (fault case F11). */
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 17_000
/** A body may pause for 15 s. Node sees only at the end of this time that some of an answer was taken: a reader that stops is closed after at most three times of it. */
const SILENCE_TIMEOUT_MS = 16_000
const TIMEOUT_CHECK_MS = 500
const KEEP_ALIVE_TIMEOUT_MS = 65_000
/** On each address. The system keeps as many more waiting, as when all clients of a server come back at once. */
export const MAX_CONNECTIONS = 4_000
const MAX_REQUESTS_PER_SOCKET = 100_000

export interface HttpServerOptions {
  config: Config
  log: Logger
  limits: RequestLimits
  /** Undefined once requests can be served; until then the sentence that says why not. */
  notReady(): string | undefined
  /** Told of each answer, for metrics. */
  onAnswer(answer: { method: string; route: string; status: number; seconds: number }): void
  /** Told of each request that was refused for overload. */
  onRefused(reason: OverloadReason): void
  /** Counts a request for something that does not exist, before its body is looked at. */
  limitUnknown(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Runs once the server closes, while every answer ends its connection, and before the port is closed. */
  beforeClose?: (() => Promise<void>) | undefined
}

/**
 * A Fastify without its defaults that break the specification: every refusal, also of what is not HTTP at all, is the
 * one error shape, and every answer carries the security headers, a request id and the rate limit's three.
 */
export const createHttpServer = async (options: HttpServerOptions): Promise<FastifyInstance> => {
  const { config, log, limits, beforeClose } = options
  const logger: FastifyBaseLogger = log
  const common = securityHeaders(config)
  const hostProblem = hostCheck(config)
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // One for each request costs more than the few lines that are written are worth: they name the request themselves.
    childLoggerFactory: (parent) => parent,
    bodyLimit: config.BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    maxRequestsPerSocket: MAX_REQUESTS_PER_SOCKET,
    trustProxy: config.TRUST_PROXY ?? false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Paths are matched as they are spelled: one spelling, one route, one scope. A parameter may be as long as a request
    // line can be: what is no id is answered by whoever guards the route, whatever its length.
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      maxParamLength: MAX_HEADER_BYTES,
      querystringParser: () => ({}),
    },
    frameworkErrors: (_error, request, reply) => {
      reply.headers(headersFor(request.raw.url, request.headers.origin)).header('x-request-id', request.id)
      void limits.anonymous(reply, request.ip).then(
        () => sendError(reply as FastifyReply, badRequest('The address of the request is not valid.')),
        (error) => sendError(reply as FastifyReply, error),
      )
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, common, limits),
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requireHostHeader: false,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
  })
  const v1 = v1Headers(app, config)
  const headersFor: HeadersFor = (url, origin) => ({ ...common, ...v1.headersOf(url, origin) })
  app.server.maxConnections = MAX_CONNECTIONS
  answerUnrouted(app, headersFor, limits)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.decorateRequest('caller')
  app.decorateRequest('asksAgain', false)
  if (beforeClose) app.addHook('preClose', beforeClose)
  addListenOn(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersFor(request.routeOptions.url ?? request.raw.url, request.headers.origin)).header('x-request-id', request.id)
    const problem = hostProblem(request)
    if (problem === undefined) return
    await limits.anonymous(reply, request.ip)
    throw badRequest(problem)
  })
  const noteRefusal = await limitLoad(app, options)
  app.addHook('onRequest', async (request, reply) => {
    const waitingFor = request.routeOptions.config.servesAlways ? undefined : options.notReady()
    if (waitingFor !== undefined) {
      await limits.uncounted(reply, request.ip)
      reply.header('connection', 'close')
      throw unavailable(waitingFor)
    }
    if (!request.is404) return undefined
    const preflight = v1.preflightHeaders(request)
    if (preflight) {
      // Not counted: it does nothing, and the request that follows it is.
      await limits.uncounted(reply, request.ip)
      return reply.headers(preflight).code(204).send()
    }
    await options.limitUnknown(request, reply)
    // Before a body is read: what does not exist is 404 whatever was sent to it.
    if (request.method !== 'GET' && request.method !== 'HEAD') throw notFound('There is no such endpoint.')
    return undefined
  })
  app.register(fastifyCookie)
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = request.routeOptions.url ?? 'unknown'
    const { statusCode: status, elapsedTime } = reply
    options.onAnswer({ method, route, status, seconds: elapsedTime / 1000 })
    // Why it was 503 has a line of its own, and during an overload there are thousands.
    const level = (method === 'GET' && status < 400) || status === 503 ? 'debug' : 'info'
    if (log.isLevelEnabled(level)) {
      const actor = request.caller?.actor?.id ?? request.caller?.person?.userId
      log[level]({ reqId: request.id, method, route, status, ms: Math.round(elapsedTime), address: request.ip, actor }, 'request')
    }
    done()
  })
  handleErrors(app, log, limits, noteRefusal)
  return app
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers while the database is not ready, too. */
    servesAlways?: boolean
    /** Answers however much there is to do. */
    servesUnderLoad?: boolean
    /** Answers whatever host name the request gives: load balancers ask for health by IP address. */
    servesAnyHost?: boolean
  }
}
