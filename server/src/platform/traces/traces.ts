import type { onRequestHookHandler } from 'fastify'
import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'

/** A value of an attribute. Never a name, a text or an address that someone entered; undefined is left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>

export interface SpanOptions {
  /** Constant words: the traces of one kind of work have one name. */
  name: string
  /** `job`: work of a queue. `client`: a request to another server. */
  kind: 'job' | 'client'
  attributes?: Attributes
}

/** Spans of requests, their statements, jobs and outgoing webhooks. */
export interface Traces {
  /** Runs `work` in a span of its own. @param work `note` adds attributes to the span */
  run<T>(options: SpanOptions, work: (note: (attributes: Attributes) => void) => Promise<T>): Promise<T>
  /** Begins the span of a request, or continues in it; undefined if there are no traces. */
  onRequest: onRequestHookHandler | undefined
  /**
   * Adds the span of a statement that has ended to the current request or job; undefined if there are no traces.
   *
   * @param statement its label, without values
   * @param startedAt from `performance.now()`
   */
  onStatement: ((statement: string, startedAt: number) => void) | undefined
  /** Sends what is left, for at most two seconds. */
  close(): Promise<void>
}

/** For servers without a collector, and for the operator's command. */
export const NO_TRACES: Traces = {
  run: (_options, work) => work(() => undefined),
  onRequest: undefined,
  onStatement: undefined,
  close: async () => undefined,
}

/** Sends spans to `OTEL_EXPORTER_OTLP_ENDPOINT`. Without it, nothing of OpenTelemetry is loaded. */
export const createTraces = async (config: Config, log: Logger): Promise<Traces> => {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return NO_TRACES
  const { sendTraces } = await import('./otlp.ts')
  return sendTraces(config, config.OTEL_EXPORTER_OTLP_ENDPOINT, log)
}
