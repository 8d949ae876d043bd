import type { Socket } from 'node:net'
import fastifyCookie from '@fastify/cookie'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Config } from '../../config.ts'
import { isLoopback } from '../../config/config-values.ts'
import type { Keys } from '../../crypto.ts'
import { badRequest, notFound, type OverloadReason, unavailable } from '../../errors.ts'
import type { JobLabels } from '../../jobs/job-labels.ts'
import type { Logger } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import type { Traces } from '../../traces/traces.ts'
import { countOpenFiles, type OpenFiles } from '../answers/downloads.ts'
import { handleErrors, sendError } from '../answers/error-handler.ts'
import { countHeader, securityHeaders, v1Headers } from '../answers/headers.ts'
import {
  answerUnreadable,
  answerUnrouted,
  type HeadersFor,
  LateBody,
  MAX_HEADER_BYTES,
} from '../answers/raw-answers.ts'
import { createBodyBudget, readBodies } from '../limits/body-budget.ts'
import { limitBody } from '../limits/body-deadline.ts'
import {
  type CloseReason,
  type Connections,
  createBoundedServer,
  DOWNLOAD_DEADLINE_MS,
  KEEP_ALIVE_TIMEOUT_MS,
} from '../limits/connections.ts'
import { limitLoad } from '../limits/overload.ts'
import type { RequestLimits } from '../limits/rate-limit.ts'
import { excuseStorage } from '../limits/silence.ts'
import { labelOf } from '../routes/request-label.ts'
import { normalizeForwardedFor } from './address.ts'
import { addListenOn } from './listeners.ts'
import { proxyTrust, requestIds } from './request-id.ts'
import { requestLog } from './request-log.ts'

/** Plus the check interval, this keeps a slow client from holding a connection for 20 s (fault case F11). */
const HEADERS_TIMEOUT_MS = 15_000
/**
 * A body may pause for 15 s. Node notices only at the end of this time that the client has read part of an answer: a
 * client that stops reading is disconnected after at most three times this long.
 */
const SILENCE_TIMEOUT_MS = 16_000
const TIMEOUT_CHECK_MS = 500
const MAX_REQUESTS_PER_SOCKET = 100_000
/** The usual ones; `isLoopback` knows all. */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** Reports whether requests can be served. */
export interface Readiness {
  /** While requests cannot be served, the sentence that explains why. */
  waitingFor: string | undefined
}

export interface HttpServerOptions {
  config: Config
  keys: Keys
  log: Logger
  limits: RequestLimits
  readiness: Readiness
  labels: JobLabels
  /** Begins the span of a request, or continues in it. */
  onTrace: Traces['onRequest']
  /** Seconds from request to answer. */
  requestSeconds: Metrics['requestSeconds']
  /** Called for each connection that the server closes before its client does. */
  onConnectionClosed(reason: CloseReason): void
  /** Called for each request that is refused for overload. */
  onRefused(reason: OverloadReason): void
  /** Counts a request for an unknown path, before its body is examined. */
  limitUnknown(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Reports whether a request without a route gets the page of the web interface. */
  isForPage(request: FastifyRequest): boolean
  /** Runs once the server closes, while every answer ends its connection, and before the port is closed. */
  beforeClose?: (() => Promise<void>) | undefined
}

/**
 * Creates a Fastify without the defaults that break the specification: every refusal, even of bytes that are not HTTP,
 * has the one error shape, and every answer carries the security headers, a request id and the three rate limit
 * headers.
 */
export const createHttpServer = async (options: HttpServerOptions): Promise<FastifyInstance> => {
  const { config, log, limits, labels, beforeClose } = options
  const logger: FastifyBaseLogger = log
  const common = securityHeaders(config)
  const hostProblem = hostCheck(config)
  const onLateBody = (socket: Socket) => answerUnreadable(new LateBody(), socket, common, limits)
  const limitBodyOf = (
    request: Pick<FastifyRequest, 'raw' | 'headers'>,
    reply: Pick<FastifyReply, 'raw'>,
    isUpload: boolean,
  ) => {
    if (hasBody(request)) limitBody(request.raw, reply.raw, isUpload, onLateBody)
  }
  let connections: Connections | undefined
  const app = Fastify({
    serverFactory: (handle) => {
      const [server, bounded] = createBoundedServer(
        handle,
        {
          maxHeaderSize: MAX_HEADER_BYTES,
          headersTimeout: HEADERS_TIMEOUT_MS,
          requireHostHeader: false,
          connectionsCheckingInterval: TIMEOUT_CHECK_MS,
          keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
          // Each body has its own deadline (`limitBody`).
          requestTimeout: 0,
        },
        {
          log,
          perAddress: config.CONNECTIONS_PER_ADDRESS,
          trustedProxies: config.TRUST_PROXY,
          onClosed: options.onConnectionClosed,
        },
      )
      server.setTimeout(SILENCE_TIMEOUT_MS)
      server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET
      connections = bounded
      return server
    },
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request costs more than the few written lines are worth: those name the request themselves.
    childLoggerFactory: (parent) => parent,
    bodyLimit: config.BODY_LIMIT_BYTES,
    trustProxy: config.TRUST_PROXY ?? false,
    genReqId: requestIds(proxyTrust(config.TRUST_PROXY)),
    requestIdHeader: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Paths match exactly as spelled: one spelling, one route, one scope. A parameter may be as long as a request line:
    // the guard of the route answers values that are not an id, whatever their length.
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      maxParamLength: MAX_HEADER_BYTES,
      querystringParser: () => ({}),
    },
    frameworkErrors: (_error, request, reply) => {
      limitBodyOf(request, reply, false)
      reply.headers(headersFor(request.raw.url, request.headers.origin)).header('x-request-id', request.id)
      void limits.anonymous(reply, request.ip).then(
        () => sendError(reply as FastifyReply, badRequest('The address of the request is not valid.')),
        (error) => sendError(reply as FastifyReply, error),
      )
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, common, limits),
  })
  const v1 = v1Headers(app, config)
  const headersFor: HeadersFor = (url, origin) => ({ ...common, ...v1.headersOf(url, origin) })
  app.decorate('openFiles', countOpenFiles())
  app.decorate('connections', connections as unknown as Connections)
  if (config.TRUST_PROXY) app.server.prependListener('request', normalizeForwardedFor)
  answerUnrouted(app, headersFor, limits)

  app.removeAllContentTypeParsers()
  readBodies(app, createBodyBudget(config.BODY_LIMIT_BYTES))
  app.decorate('uploadBudget', createBodyBudget(config.BODY_LIMIT_BYTES))
  app.decorateRequest('caller')
  app.decorateRequest('bodyWasPending', false)
  if (beforeClose) app.addHook('preClose', beforeClose)
  addListenOn(app)
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  // For requests that arrived before; Fastify does this for later ones.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done()
  })

  if (options.onTrace) {
    app.addHook('onRequest', options.onTrace)
    app.addHook('preValidation', options.onTrace)
  }
  app.addHook('onRequest', (request, _reply, done) => labels.run(() => labelOf(request), done))
  // The events of an arriving body belong to its connection: the code that follows needs the label again.
  app.addHook('preValidation', (request, _reply, done) =>
    hasBody(request) ? labels.run(() => labelOf(request), done) : done(),
  )
  app.addHook('onRequest', async (request, reply) => {
    const { isUpload = false, isDownload, isEndless } = request.routeOptions.config
    limitBodyOf(request, reply, isUpload)
    if (isUpload || isDownload) excuseStorage(request.raw, reply.raw, SILENCE_TIMEOUT_MS)
    if (isDownload) app.connections.limitAnswer(request.raw, DOWNLOAD_DEADLINE_MS)
    if (isEndless) app.connections.limitAnswer(request.raw, Number.POSITIVE_INFINITY)
    reply
      .headers(headersFor(request.routeOptions.url ?? request.raw.url, request.headers.origin))
      .header('x-request-id', request.id)
    const problem = hostProblem(request)
    if (problem === undefined) return
    await limits.anonymous(reply, request.ip)
    throw badRequest(problem)
  })
  const noteRefusal = limitLoad(app, options)
  app.addHook('onRequest', async (request, reply) => {
    // The page asks again until the server is ready; a browser would show the refusal itself as text.
    const servesAlways = request.routeOptions.config.servesAlways ?? (request.is404 && options.isForPage(request))
    const waitingFor = servesAlways ? undefined : options.readiness.waitingFor
    if (waitingFor !== undefined) {
      await limits.uncounted(reply, request.ip)
      reply.header('connection', 'close')
      throw unavailable(waitingFor)
    }
    if (!request.is404) return undefined
    const preflight = v1.preflightHeaders(request)
    if (preflight) {
      // Not counted: it has no effect, and the request that follows it counts.
      await limits.uncounted(reply, request.ip)
      return reply.headers(preflight).code(204).send()
    }
    await options.limitUnknown(request, reply)
    // Before a body is read: an unknown path is 404 whatever was sent to it.
    if (request.method !== 'GET' && request.method !== 'HEAD') throw notFound('There is no such endpoint.')
    return undefined
  })
  app.register(fastifyCookie)
  const logRequest = requestLog(log, config)
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = request.routeOptions.url ?? 'unknown'
    const { statusCode: status, elapsedTime } = reply
    // How long a stream is read does not reflect how long answers take.
    const { isEndless, mayTakeLong } = request.routeOptions.config
    if (!isEndless) {
      const labels = { method, route, status, class: mayTakeLong ? 'long' : 'short' }
      options.requestSeconds.observe(labels, elapsedTime / 1000)
    }
    logRequest(request, reply)
    done()
  })
  handleErrors(app, log, limits, noteRefusal)
  return app
}

declare module 'fastify' {
  interface FastifyInstance {
    connections: Connections
    openFiles: OpenFiles
  }
  interface FastifyContextConfig {
    /** Also answers while the database is not ready. */
    servesAlways?: boolean
    /** Answers regardless of the load. */
    servesUnderLoad?: boolean
    /** Answers for any host name in the request: load balancers check health by IP address. */
    servesAnyHost?: boolean
    /** Takes a file: its body may take hours, and does not count as load while it arrives. */
    isUpload?: boolean
    /** Answers with a file or an export, which may take hours to arrive. */
    isDownload?: boolean
    /** At the session door: may name the organization in its query, because a browser opens it by its address only. */
    isOpenedByAddress?: boolean
    /** Knows people by their session. */
    isOfSession?: boolean
    /** Answers with a stream that lasts as long as someone reads it. */
    isEndless?: boolean
    /** Takes as long as its client, a file or another server: its duration is not a measure of this server. */
    mayTakeLong?: boolean
  }
}

const hasBody = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/**
 * Prevents DNS rebinding: a page of another site whose name resolves to this server sends that name as its host, and is
 * refused. Accepts the host of `FRONTEND_URL`, `ALLOWED_HOSTS`, and loopback names while the server listens on
 * loopback; ignores ports. Never reads `X-Forwarded-Host`: a proxy passes `Host` on.
 *
 * @returns a function that returns why a request is refused, as a sentence for the client
 */
const hostCheck = (config: Pick<Config, 'HOST' | 'FRONTEND_URL' | 'ALLOWED_HOSTS'>) => {
  const loopbackIsKnown = isLoopback(config.HOST)
  const known = new Set([
    new URL(config.FRONTEND_URL).hostname,
    ...(config.ALLOWED_HOSTS ?? []),
    ...(loopbackIsKnown ? LOOPBACK_HOSTS : []),
  ])
  const isKnown = (authority: string) => {
    const host = hostOf(authority)
    return host !== undefined && (known.has(host) || (loopbackIsKnown && isLoopback(host)))
  }
  return ({ raw, routeOptions }: FastifyRequest): string | undefined => {
    const { host } = raw.headers
    const isMissing = host === undefined
    if (isMissing && raw.httpVersion === '1.1') return 'The Host header is missing.'
    if (!isMissing && countHeader(raw.rawHeaders, 'host') > 1) return 'The Host header is given more than once.'
    if (routeOptions.config.servesAnyHost) return undefined
    const target = authorityOf(raw.url ?? '')
    if (!isMissing && isKnown(host) && (target === undefined || isKnown(target))) return undefined
    return 'This server is not known by that host name; its operator can allow it with FRONTEND_URL or ALLOWED_HOSTS.'
  }
}

/** The host in `host:port`, in lower case and without a trailing dot; undefined if it is malformed. */
const hostOf = (authority: string): string | undefined =>
  /^(\[[\da-f:.]+\]|[^\s:/?#@[\]\\]+?)\.?(?::\d{1,5})?$/i.exec(authority)?.[1]?.toLowerCase()

/** A target may contain a host: `GET http://host/path`. That host takes precedence (RFC 9112, section 3.2.2). */
const authorityOf = (target: string): string | undefined =>
  target.startsWith('/') ? undefined : /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]
