import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Config } from '../config.ts'
import { parseTraceparent, proxyTrust } from '../http/server/request-id.ts'
import type { Logger } from '../log.ts'
import { BUILD } from '../version.ts'
import { otlpHeaders } from './trace-settings.ts'
import type { Attributes, SpanOptions, Traces } from './traces.ts'

/** What waits for the collector, in spans; further ones are dropped. */
const MAX_WAITING = 4_096
/** Of one request or job: an import of a large file must not push out the spans of others. */
const MAX_STATEMENTS = 500
const SEND_TIMEOUT_MS = 5_000
const SEND_EVERY_MS = 2_000
const CLOSE_TIMEOUT_MS = 2_000

/** The request or job that statements belong to. */
interface Current {
  span: Span
  context: Context
  statements: number
}

const KINDS = { job: SpanKind.CONSUMER, client: SpanKind.CLIENT }
const SUCCESS = 0

/** Starts nothing but a timer. Spans are sent in batches; nothing waits for the collector. */
export const sendTraces = (config: Config, endpoint: string, log: Logger): Traces => {
  const { OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER_ARG, OTEL_EXPORTER_OTLP_HEADERS, TRUST_PROXY } = config
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: OTEL_EXPORTER_OTLP_HEADERS === undefined ? {} : otlpHeaders(OTEL_EXPORTER_OTLP_HEADERS),
    timeoutMillis: SEND_TIMEOUT_MS,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': OTEL_SERVICE_NAME,
      'service.version': BUILD.version,
      'service.instance.id': randomUUID(),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(OTEL_TRACES_SAMPLER_ARG) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(exporter, endpoint, log),
        maxQueueSize: MAX_WAITING,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_TIMEOUT_MS * 2,
      }),
    ],
  })
  const tracer = provider.getTracer('sortie')
  const storage = new AsyncLocalStorage<Current>()
  const isTrusted = proxyTrust(TRUST_PROXY)
  const requests = new WeakMap<IncomingMessage, Current>()

  const begin = (name: string, kind: SpanKind, parent: Context, attributes: Attributes = {}): Current => {
    const span = tracer.startSpan(name, { kind, attributes: known(attributes) }, parent)
    return { span, context: trace.setSpan(parent, span), statements: 0 }
  }
  const end = ({ span, statements }: Current) => {
    if (statements > MAX_STATEMENTS) span.setAttribute('sortie.statements_left_out', statements - MAX_STATEMENTS)
    span.end()
  }

  return {
    run: async ({ name, kind, attributes }: SpanOptions, work) => {
      const current = begin(name, KINDS[kind], storage.getStore()?.context ?? ROOT_CONTEXT, attributes)
      try {
        return await storage.run(current, () => work((more) => current.span.setAttributes(known(more))))
      } catch (error) {
        // Messages of errors may contain what someone entered.
        current.span.setStatus({ code: SpanStatusCode.ERROR })
        current.span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
        throw error
      } finally {
        end(current)
      }
    },
    onRequest: (request, reply, done) => {
      const { raw, method, routeOptions } = request
      // How long a stream of events is open is not the duration of a request.
      if (routeOptions.config.isEndless) return done()
      const begun = requests.get(raw)
      if (begun) return storage.run(begun, done)
      const route = routeOptions.url ?? 'unknown'
      const parent = isTrusted(raw) ? parentOf(raw) : ROOT_CONTEXT
      const current = begin(`${method} ${route}`, SpanKind.SERVER, parent, {
        'http.request.method': method,
        'http.route': route,
        'sortie.request_id': request.id,
      })
      requests.set(raw, current)
      reply.raw.once('close', () => {
        const { statusCode, writableFinished } = reply.raw
        current.span.setAttributes(
          known({
            'http.response.status_code': statusCode,
            'sortie.organization_id': request.caller?.actor?.organizationId,
            'error.type': statusCode >= 500 ? String(statusCode) : writableFinished ? undefined : 'connection closed',
          }),
        )
        if (statusCode >= 500) current.span.setStatus({ code: SpanStatusCode.ERROR })
        end(current)
      })
      return storage.run(current, done)
    },
    onStatement: (statement, startedAt) => {
      const current = storage.getStore()
      if (!current || ++current.statements > MAX_STATEMENTS) return
      const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': statement }
      const startTime = performance.timeOrigin + startedAt
      tracer
        .startSpan(statement, { kind: SpanKind.CLIENT, attributes, startTime }, current.context)
        .end(performance.timeOrigin + performance.now())
    },
    close: () =>
      Promise.race([provider.shutdown().catch(() => undefined), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]),
  }
}

const known = (attributes: Attributes): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  )

/** The span of a proxy that began the trace. */
const parentOf = ({ headers }: IncomingMessage): Context => {
  const parent = parseTraceparent(headers.traceparent)
  if (!parent) return ROOT_CONTEXT
  const { isSampled, ...ids } = parent
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE
  return trace.setSpanContext(ROOT_CONTEXT, { ...ids, traceFlags, isRemote: true })
}

/** Logs once that the collector fails, and once that it works again: spans that it does not get are lost. */
const reporting = (exporter: SpanExporter, endpoint: string, log: Logger): SpanExporter => {
  let hasFailed = false
  return {
    export: (spans, done) =>
      exporter.export(spans, ({ code: outcome, error }) => {
        const code: number = outcome
        if (code !== SUCCESS && !hasFailed)
          log.warn(
            { err: error, endpoint },
            'traces do not reach the collector of OTEL_EXPORTER_OTLP_ENDPOINT: they are lost until it answers',
          )
        if (code === SUCCESS && hasFailed) log.info({ endpoint }, 'traces reach the collector again')
        hasFailed = code !== SUCCESS
        done({ code: SUCCESS })
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
