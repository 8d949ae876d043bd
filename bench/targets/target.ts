import type { Stage } from '../../server/test/support/server-process.ts'
import type { BenchDatabase } from '../lib/database.ts'
import type { Measured } from '../lib/figure.ts'
import type { Sender } from '../lib/load.ts'
import { type Spread, spread } from '../lib/statistics.ts'

export interface TargetRun {
  /** Ends whatever is started on it when the run is over. */
  stage: Stage
  database: BenchDatabase
  sender: Sender
  /** Repetitions, seconds or clients, as the target says. */
  count: number
  note(text: string): void
}

/** One of the targets of load and faults: an aim that holds or does not. Bounded in count and time; loopback only. */
export interface Target {
  name: string
  title: string
  /** The count of the full form. */
  count: number
  measure(run: TargetRun): Promise<Measured[]>
}

export const atMostOf = (what: string, aim: number, unit: string, ...values: number[]): Measured =>
  judge(what, `at most ${aim}`, unit, values, ({ max }) => max <= aim)

export const atLeastOf = (what: string, aim: number, unit: string, ...values: number[]): Measured =>
  judge(what, `at least ${aim}`, unit, values, ({ min }) => min >= aim)

/** The median of several runs, which are of different fortune on a shared machine. */
export const medianAtMost = (what: string, aim: number, unit: string, values: number[]): Measured =>
  judge(what, `at most ${aim}`, unit, values, ({ median }) => median <= aim)

export const medianAtLeast = (what: string, aim: number, unit: string, values: number[]): Measured =>
  judge(what, `at least ${aim}`, unit, values, ({ median }) => median >= aim)

export const none = (what: string, value: number): Measured => atMostOf(what, 0, '', value)

const judge = (what: string, aim: string, unit: string, values: number[], holds: (values: Spread) => boolean): Measured => {
  const value = spread(values)
  return { what, aim: unit ? `${aim} ${unit}` : aim, value, unit, reached: holds(value) }
}

export const percentile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
