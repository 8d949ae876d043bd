import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import fastifyCookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Config } from '../config.ts'
import { translateFailure } from '../database/failures.ts'
import { ApiError, badRequest, internalError, notFound, overloaded, unavailable } from '../errors.ts'
import type { Logger } from '../log.ts'
import { countHeader, securityHeaders } from './headers.ts'
import type { RequestLimits } from './limits.ts'
import type { Overload, Work } from './overload.ts'
import { type Asked, isAlwaysServed, refuseEarly } from './refuse-early.ts'
import { closeSlowReaders } from './slow-readers.ts'
import { versionOne } from './version-one.ts'

/** With the interval at which they are checked, no slow client holds a connection for 20 s (fault case F11). */
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 17_000
const SILENCE_TIMEOUT_MS = 18_000
const TIMEOUT_CHECK_MS = 500
const KEEP_ALIVE_TIMEOUT_MS = 65_000
const LATE_PER_TURN = 5
const LATE_PAUSE_MS = 5
const MAX_HEADER_BYTES = 16_384
/** That many may also wait to be taken, as when all clients of a server come back at the same moment: the system lets no more of them in. */
export const MAX_CONNECTIONS = 4_000
const MAX_REQUESTS_PER_SOCKET = 100_000

export interface HttpServerOptions {
  config: Config
  log: Logger
  limits: RequestLimits
  overload: Overload
  /** Undefined once requests can be served; until then the sentence that says why not. */
  notReady(): string | undefined
  /** Told of each answer, for metrics. */
  onAnswer(answer: { method: string; route: string; status: number; seconds: number }): void
  /** Counts a request for something that does not exist, before its body is looked at. */
  limitUnknown(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/**
 * A Fastify without its defaults that break the specification: every refusal, also of what is not HTTP at all, is the
 * one error shape, and every answer carries the security headers, a request id and the rate limit's three.
 */
export const createHttpServer = (options: HttpServerOptions): FastifyInstance => {
  const { config, log, limits, overload } = options
  const logger: FastifyBaseLogger = log
  const late = inTurns()
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
      reply.headers({ ...common, ...v1?.headersOf(request.raw.url, request.headers.origin) }).header('x-request-id', request.id)
      void limits.anonymous(reply, request.ip).then(
        () => send(reply as FastifyReply, badRequest('The address of the request is not valid.')),
        (error) => send(reply as FastifyReply, error),
      )
    },
    clientErrorHandler: (error, socket) => {
      // What still arrives no longer makes it whole: the connection has one answer, and this is it.
      socket.pause()
      const answer = () => answerUnreadable(error, socket, common, limits)
      if (error.code === TOO_LATE) late.add(answer)
      else void answer()
    },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requireHostHeader: false,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Most have no body: nothing waits for the end of one.
      optimizeEmptyRequests: true,
    },
  })
  const common = securityHeaders(config)
  const v1 = versionOne(config)
  app.server.maxConnections = MAX_CONNECTIONS
  const headersOf = ({ url, origin, address }: Asked) => ({ ...common, ...v1?.headersOf(url, origin), ...limits.knownHeaders(address) })
  refuseEarly(app.server, overload, headersOf, KEEP_ALIVE_TIMEOUT_MS)
  const stopWatching = closeSlowReaders(app.server)
  app.addHook('onClose', async () => stopWatching())
  app.server.on('connect', (_request, socket) => void answerRaw(socket as Socket, notFound('There is no such endpoint.'), common, limits))
  app.server.on('checkExpectation', (request, response) => {
    const headers = { ...common, ...v1?.headersOf(request.url, request.headers.origin) }
    void answerRaw(response.socket as Socket, badRequest('Expect: only 100-continue is known.'), headers, limits)
  })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.register(fastifyCookie)
  app.decorateRequest('caller')
  app.decorateRequest('work')

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(common)
    if (v1) reply.headers(v1.headersOf(request.routeOptions.url ?? request.raw.url, request.headers.origin))
    reply.header('x-request-id', request.id)
    if (!isAlwaysServed(request.raw.url)) {
      const reason = overload.refusal()
      if (reason) {
        reply.headers(limits.knownHeaders(request.ip))
        return done(overloaded(reason))
      }
      request.work = overload.begin()
    }
    const hosts = request.headers.host === undefined ? 0 : countHeader(request.raw.rawHeaders, 'host')
    const waitingFor = request.routeOptions.config.servesAlways ? undefined : options.notReady()
    // Nearly always. What follows waits for something, and so costs more.
    if (hosts === 1 && waitingFor === undefined && !request.is404) return done()
    void answerOrGoOn(request, reply, hosts, waitingFor, done)
  })
  const answerOrGoOn = async (
    request: FastifyRequest,
    reply: FastifyReply,
    hosts: number,
    waitingFor: string | undefined,
    goOn: (refusal?: Error) => void,
  ): Promise<void> => {
    let refusal: Error | undefined
    try {
      if (await isAnswered(request, reply, hosts, waitingFor)) return
    } catch (error) {
      refusal = error as Error
    }
    goOn(refusal)
  }
  /** @throws ApiError where it is refused */
  const isAnswered = async (request: FastifyRequest, reply: FastifyReply, hosts: number, waitingFor: string | undefined): Promise<boolean> => {
    if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1')) {
      await limits.anonymous(reply, request.ip)
      throw badRequest(hosts === 0 ? 'The Host header is missing.' : 'The Host header is given more than once.')
    }
    if (waitingFor !== undefined) {
      await limits.uncounted(reply, request.ip)
      reply.header('connection', 'close')
      throw unavailable(waitingFor)
    }
    if (!request.is404) return false
    const preflight = v1?.preflightHeaders(request)
    if (preflight) {
      // Not counted: it does nothing, and the request that follows it is.
      await limits.uncounted(reply, request.ip)
      reply.headers(preflight).code(204).send()
      return true
    }
    await options.limitUnknown(request, reply)
    // Before a body is read: what does not exist is 404 whatever was sent to it.
    if (request.method !== 'GET' && request.method !== 'HEAD') throw notFound('There is no such endpoint.')
    return false
  }
  // A body that arrives slowly keeps nobody else out.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (request.method !== 'GET') request.work?.pause()
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    request.work?.resume()
    done()
  })
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.work?.end()
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    request.work?.end()
    const route = request.routeOptions.url ?? 'unknown'
    const seconds = reply.elapsedTime / 1000
    options.onAnswer({ method: request.method, route, status: reply.statusCode, seconds })
    const level = request.method === 'GET' && reply.statusCode < 400 ? 'debug' : 'info'
    if (!log.isLevelEnabled(level)) return done()
    log[level](
      {
        reqId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        address: request.ip,
        actor: request.caller?.actor?.id ?? request.caller?.person?.userId,
      },
      'request',
    )
    done()
  })

  app.setErrorHandler(async (error, request, reply) => {
    // Whoever broke off in the middle of a request hears no answer.
    if (request.raw.destroyed && !request.raw.complete) return reply.hijack()
    const answer = toApiError(error, request.routeOptions.bodyLimit)
    // Where even the caller could not be found out, nothing was counted yet.
    if (!reply.hasHeader('x-ratelimit-limit')) await limits.uncounted(reply, request.ip)
    // Counted, and said once: there may be thousands of them.
    if (answer.shed) overload.refused(answer.shed)
    // A refusal on purpose is no failure.
    else if (answer.status === 503 && answer.cause === undefined) log.warn({ reqId: request.id }, answer.message)
    else if (answer.status >= 500) log.error({ reqId: request.id, err: answer.cause ?? answer }, answer.message)
    return send(reply, answer)
  })
  return app
}

declare module 'fastify' {
  interface FastifyRequest {
    work: Work | undefined
  }
  interface FastifyContextConfig {
    /** Answers while the database is not ready, too. */
    servesAlways?: boolean
  }
}

const send = (reply: FastifyReply, error: ApiError) => {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
  return reply.code(error.status).type('application/json; charset=utf-8').send(JSON.stringify(error.body))
}

/** Whatever was thrown, as one of the eight codes; what is not meant for clients becomes a fixed sentence. */
const toApiError = (thrown: unknown, bodyLimit: number): ApiError => {
  const error = translateFailure(thrown)
  if (error instanceof ApiError) return error
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return badRequest(`The body is larger than ${bodyLimit} bytes.`)
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') return badRequest('The body is not as long as Content-Length says.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return badRequest('Content-Type must be application/json, in UTF-8.')
  if (code === 'FST_ERR_HANDLER_TIMEOUT') return unavailable('The answer took too long.', error)
  if (code?.startsWith('FST_ERR_CTP') || (statusCode !== undefined && statusCode >= 400 && statusCode < 500)) {
    return badRequest('The request cannot be read.')
  }
  return internalError(error)
}

/**
 * Does what it is given in order, a little at a time: of thousands of slow clients the time is over at the same moment, and
 * letting go of them all at once would keep everybody else waiting.
 */
const inTurns = () => {
  const waiting: (() => unknown)[] = []
  const turn = () => {
    for (const work of waiting.splice(0, LATE_PER_TURN)) void work()
    if (waiting.length > 0) setTimeout(turn, LATE_PAUSE_MS)
  }
  return {
    add: (work: () => unknown) => {
      if (waiting.push(work) === 1) setTimeout(turn, LATE_PAUSE_MS)
    },
  }
}

/** The request is not whole after its time. */
const TOO_LATE = 'ERR_HTTP_REQUEST_TIMEOUT'
const UNREADABLE: Record<string, string> = {
  HPE_HEADER_OVERFLOW: `The headers are larger than ${MAX_HEADER_BYTES} bytes.`,
  [TOO_LATE]: 'The request took too long to arrive.',
}

/** For bytes that are not HTTP, and requests that never became whole. */
const answerUnreadable = async (error: Error & { code?: string }, socket: Socket, common: Record<string, string>, limits: RequestLimits) => {
  if (error.code === 'ECONNRESET' || socket.destroyed) {
    socket.destroy()
    return
  }
  await answerRaw(socket, badRequest(UNREADABLE[error.code ?? ''] ?? 'The request is not valid HTTP.'), common, limits)
}

const answerRaw = async (socket: Socket, error: ApiError, common: Record<string, string>, limits: RequestLimits) => {
  const body = JSON.stringify(error.body)
  const headers = {
    ...common,
    ...(await limits.rawHeaders(socket.remoteAddress ?? '')),
    'x-request-id': randomUUID(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  if (!socket.writable) return void socket.destroy()
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${head.join('')}\r\n${body}`)
  // Its end is only noticed by whoever reads.
  socket.resume()
}
