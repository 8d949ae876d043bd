import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../config.ts'
import { isLoopback } from '../../config/config-values.ts'
import { type ApiError, badRequest, internalError, notFound } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import { securityHeaders } from '../answers/headers.ts'
import { bearerOf } from '../routes/doors.ts'
import { isMetricsToken } from './metrics-route.ts'

export const METRICS_ADDRESS = '127.0.0.1'
/** Prometheus uses one connection at a time. */
const MAX_CONNECTIONS = 16
/** From the connection's start to the end of the answer. Bytes that arrive do not extend it (finding S35). */
const CONNECTION_DEADLINE_MS = 10_000
const MAX_HEADER_BYTES = 8_192

interface MetricsListenerOptions {
  config: Pick<Config, 'FRONTEND_URL' | 'METRICS_TOKEN'>
  metrics: Pick<Metrics, 'render'>
  log: Logger
  /** 10 seconds by default. */
  deadlineMs?: number
}

export interface MetricsListener {
  /** @throws the system's error for a port that cannot be listened on; the call may be repeated then */
  listen(port: number): Promise<void>
  /** Closes the port and every connection. */
  close(): Promise<void>
}

/**
 * Serves `GET /metrics`, and nothing else, on a port of 127.0.0.1 for a Prometheus on this machine (finding S28). A
 * connection carries one request. `METRICS_TOKEN`, if set, is required here too. A request must name a loopback host: a
 * page whose host name resolves to this machine names another one (DNS rebinding).
 */
export const createMetricsListener = ({
  config,
  metrics,
  log,
  deadlineMs = CONNECTION_DEADLINE_MS,
}: MetricsListenerOptions): MetricsListener => {
  const common = { ...securityHeaders(config), connection: 'close' }
  const refuse = (response: ServerResponse, { status, body }: ApiError) =>
    response
      .writeHead(status, { ...common, 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify(body))
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalOf(request, config)
    if (refusal) return void refuse(response, refusal)
    try {
      const { contentType, text } = await metrics.render()
      response.writeHead(200, { ...common, 'content-type': contentType }).end(text)
    } catch (error) {
      log.error({ err: error }, 'the metrics could not be rendered')
      refuse(response, internalError(error))
    }
  }
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES },
    (request, response) => void answer(request, response),
  )
  server.maxConnections = MAX_CONNECTIONS
  server.maxRequestsPerSocket = 1
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    const deadline = setTimeout(() => socket.destroy(), deadlineMs).unref()
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      clearTimeout(deadline)
      sockets.delete(socket)
    })
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('error', (error) => {
    // For example EMFILE for a connection that could not be accepted: the next one may be. Before listening, `listen`
    // throws.
    if (server.listening) log.warn({ err: error }, 'the listener for metrics failed')
  })
  return {
    listen: async (port) => {
      server.listen({ host: METRICS_ADDRESS, port })
      await once(server, 'listening')
      log.info(`Metrics at http://${METRICS_ADDRESS}:${port}/metrics`)
    },
    close: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const refusalOf = (request: IncomingMessage, config: MetricsListenerOptions['config']): ApiError | undefined => {
  const { method, url, headers } = request
  const host = `http://${headers.host ?? ''}/`
  if (!URL.canParse(host) || !isLoopback(new URL(host).hostname))
    return badRequest('Metrics are served by the names of this machine only.')
  const isAllowed = config.METRICS_TOKEN === undefined || isMetricsToken(bearerOf({ raw: request }), config)
  if ((method !== 'GET' && method !== 'HEAD') || url?.split('?')[0] !== '/metrics' || !isAllowed)
    return notFound('There is no such endpoint.')
  return undefined
}
