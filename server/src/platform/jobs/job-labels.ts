import { AsyncLocalStorage } from 'node:async_hooks'
import type { Config } from '../config.ts'
import type { StatementObserver } from '../database/connection/statements.ts'
import type { Logger } from '../log.ts'
import type { Traces } from '../traces/traces.ts'

/** Fields of a log line that name the current request or job. */
export type LabelFields = Readonly<Record<string, unknown>>

/** Passes the current request or job to log lines that are written deep below it. */
export class JobLabels {
  readonly #storage = new AsyncLocalStorage<() => LabelFields>()

  /**
   * Runs `work`, and what follows from it, under a label. @param fields read when a line is written: a request learns
   * its caller late
   */
  run<T>(fields: () => LabelFields, work: () => T): T {
    return this.#storage.run(fields, work)
  }

  /** Empty outside of requests and jobs. */
  get current(): LabelFields {
    return this.#storage.getStore()?.() ?? {}
  }
}

/**
 * Logs statements that take `LOG_SLOW_MS` or longer, with their request or job, and traces all; undefined if both are
 * switched off.
 */
export const observeStatements = (
  { LOG_SLOW_MS: thresholdMs }: Pick<Config, 'LOG_SLOW_MS'>,
  log: Logger,
  labels: JobLabels,
  { onStatement }: Pick<Traces, 'onStatement'>,
): StatementObserver | undefined =>
  thresholdMs === 0 && !onStatement
    ? undefined
    : {
        thresholdMs: thresholdMs || Number.POSITIVE_INFINITY,
        onSlow: (statement, ms) => log.warn({ ...labels.current, statement, ms }, 'slow statement'),
        onEach: onStatement,
      }
