import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { OverloadReason } from './errors.ts'
import { CLOSE_REASONS, type CloseReason } from './http/limits/connections.ts'

/** A value of a gauge. */
export interface Sample {
  value: number
  labels: Readonly<Partial<Record<(typeof LABELS)[number], string>>>
}

/** Metrics of this process for Prometheus. */
export interface Metrics {
  /** Seconds from request to answer; the class is `long` for those that wait for their client or another server. */
  requestSeconds: Histogram<'method' | 'route' | 'status' | 'class'>
  /** Counts a request that was refused for overload. */
  refused(reason: OverloadReason): void
  /** Counts a connection that the server closed before its client did. */
  connectionClosed(reason: CloseReason): void
  limiterDegraded(degraded: boolean): void
  /**
   * Adds a gauge that `read` computes at each scrape; while it returns undefined, or takes too long, there is no
   * sample.
   */
  gauge(name: string, help: string, read: () => Promise<number | undefined>): void
  /** The same with labels, which have few values: a sample for each that `read` returns. */
  gauges(name: string, help: string, read: () => Promise<readonly Sample[]>): void
  /** Renders the text format of Prometheus. */
  render(): Promise<{ contentType: string; text: string }>
}

/** Facts about the whole instance, from the database. */
interface InstanceFacts {
  isLive(): Promise<boolean>
  countLeftFiles(): Promise<number>
}

/** Labels of gauges with labels. */
const LABELS = ['kind', 'state', 'disk', 'version', 'commit'] as const

/** Metrics are served even while the database hangs. */
const READ_TIMEOUT_MS = 1_000
const orNotANumber = (value: Promise<number>): Promise<number> =>
  Promise.race([value.catch(() => Number.NaN), sleep(READ_TIMEOUT_MS, Number.NaN, { ref: false })])

/** @param uncaughtErrors of the process, since its start */
export const createMetrics = (
  poolLoad: () => { total: number; idle: number; waiting: number },
  uncaughtErrors: () => number,
  facts: InstanceFacts,
): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requestSeconds = new Histogram({
    name: 'sortie_http_request_seconds',
    help: 'Time from request to answer.',
    labelNames: ['method', 'route', 'status', 'class'] as const,
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  })
  const degraded = new Gauge({
    name: 'sortie_rate_limiter_degraded',
    help: '1 while limits are counted per process because Redis does not answer.',
    registers: [registry],
  })
  const degradations = new Counter({
    name: 'sortie_rate_limiter_degradations_total',
    help: 'Number of times that Redis became unavailable.',
    registers: [registry],
  })
  const overload = new Counter({
    name: 'sortie_shed_requests_total',
    help: 'Requests refused with 503 because there were too many.',
    labelNames: ['reason'],
    registers: [registry],
  })
  const closed = new Counter({
    name: 'sortie_closed_connections_total',
    help: 'Connections that the server closed because a limit of connections was reached.',
    labelNames: ['reason'],
    registers: [registry],
  })
  for (const reason of CLOSE_REASONS) closed.inc({ reason }, 0)
  const reasons: OverloadReason[] = [
    'requests under way',
    'event loop',
    'memory',
    'database connections',
    'request bodies',
  ]
  for (const reason of reasons) overload.inc({ reason }, 0)
  new Gauge({
    name: 'sortie_database_connections',
    help: 'Connections of the pool by state.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle, waiting } = poolLoad()
      this.set({ state: 'used' }, total - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waited for' }, waiting)
    },
  })
  new Gauge({
    name: 'sortie_safe_mode',
    help: '1 while the instance is in safe mode; NaN while the database does not say.',
    registers: [registry],
    async collect() {
      this.set(await orNotANumber(facts.isLive().then((isLive) => (isLive ? 0 : 1))))
    },
  })
  new Gauge({
    name: 'sortie_storage_files_left',
    help: 'Files without a row that the newest cleaning left, since there were too many; NaN while the database does not say.',
    registers: [registry],
    async collect() {
      this.set(await orNotANumber(facts.countLeftFiles()))
    },
  })
  new Counter({
    name: 'sortie_uncaught_errors_total',
    help: 'Uncaught errors. Each is a defect, and has a line in the log.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(uncaughtErrors())
    },
  })
  const gauges: Metrics['gauges'] = (name, help, read) => {
    void new Gauge({
      name,
      help,
      labelNames: LABELS,
      registers: [registry],
      async collect() {
        const samples = await Promise.race([read().catch(() => []), sleep(READ_TIMEOUT_MS, [], { ref: false })])
        this.reset()
        for (const { value, labels } of samples) this.set(labels, value)
      },
    })
  }
  return {
    requestSeconds,
    refused: (reason) => overload.inc({ reason }),
    connectionClosed: (reason) => closed.inc({ reason }),
    limiterDegraded: (isDegraded) => {
      degraded.set(isDegraded ? 1 : 0)
      if (isDegraded) degradations.inc()
    },
    gauge: (name, help, read) =>
      gauges(name, help, async () => {
        const value = await read()
        return value === undefined ? [] : [{ value, labels: {} }]
      }),
    gauges,
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}
