import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What Prometheus may read of this process. */
export interface Metrics {
  answered(answer: { method: string; route: string; status: number; seconds: number }): void
  limiterDegraded(degraded: boolean): void
  /** The text format of Prometheus. */
  render(): Promise<{ contentType: string; text: string }>
}

/** @param process the name of this process where a server has several: a label of everything it measures */
export const createMetrics = (poolLoad: () => { total: number; idle: number; waiting: number }, process?: string): Metrics => {
  const registry = new Registry()
  if (process !== undefined) registry.setDefaultLabels({ process })
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'sortie_http_request_seconds',
    help: 'Time from request to answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  })
  const degraded = new Gauge({
    name: 'sortie_rate_limiter_degraded',
    help: '1 while limits are counted per process because Redis does not answer.',
    registers: [registry],
  })
  const degradations = new Counter({ name: 'sortie_rate_limiter_degradations_total', help: 'Times that Redis was lost.', registers: [registry] })
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
  return {
    answered: ({ method, route, status, seconds }) => requests.observe({ method, route, status: String(status) }, seconds),
    limiterDegraded: (isDegraded) => {
      degraded.set(isDegraded ? 1 : 0)
      if (isDegraded) degradations.inc()
    },
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}

/** What is measured of the process that supervises the others. */
export interface SupervisorMetrics {
  /** A process ended unasked. */
  replaced(): void
  /** The text format of Prometheus. */
  render(): Promise<string>
}

export const createSupervisorMetrics = (): SupervisorMetrics => {
  const registry = new Registry()
  registry.setDefaultLabels({ process: 'supervisor' })
  collectDefaultMetrics({ register: registry })
  const replacements = new Counter({ name: 'sortie_process_replacements_total', help: 'Processes that ended unasked.', registers: [registry] })
  return { replaced: () => replacements.inc(), render: () => registry.metrics() }
}
