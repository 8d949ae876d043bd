// Defines figures, and how their values are evaluated and printed: median, minimum and maximum with the aim.
import type { Stage } from '../../server/test/support/app/server-process.ts'

export interface Bench {
  /** Stops everything that was started on it after the figure is measured. */
  stage: Stage
  /** Creates a database in the figure's own Postgres. @returns its `DATABASE_URL` */
  database(options?: { isEmpty?: boolean }): Promise<string>
  /**
   * Rounds of each comparison, and seconds of each round; for targets, repetitions, seconds or clients as their title
   * states.
   */
  rounds: number
  seconds: number
  count: number
  note(text: string): void
}

/** The exports of a file in `figures` and `targets`. Its name starts with the names of the figure. */
export interface Figure {
  title: string
  count?: number
  /** Cores of Postgres (default: any), and of other processes of the bench (default: the sender's core). */
  postgresCores?: string
  benchCores?: string
  measure(bench: Bench): Promise<Measured[]>
}

export interface Measured {
  what: string
  aim: string
  /** Undefined: it could not be measured here; `remark` states why. */
  value: { min: number; median: number; max: number } | undefined
  unit: string
  reached: boolean
  remark?: string
}

type Values = readonly number[]

export const percentile = (values: Values, share: number): number => {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export const median = (values: Values): number => percentile(values, 0.5)
export const medians = (ours: Values, theirs: Values, digits = 0): string =>
  `${median(ours).toFixed(digits)} against ${median(theirs).toFixed(digits)}`
export const sum = (values: Values): number => values.reduce((all, value) => all + value, 0)
export const ratios = (ours: Values, theirs: Values): number[] =>
  ours.map((value, round) => value / (theirs[round] as number))

const measured = (
  what: string,
  aim: string,
  unit: string,
  values: Values,
  holds: (middle: number, max: number) => boolean,
  remark?: string,
): Measured => {
  const value = { min: Math.min(...values), median: median(values), max: Math.max(...values) }
  return {
    what,
    aim: `${aim} ${unit}`.trim(),
    value,
    unit,
    reached: holds(value.median, value.max),
    ...(remark && { remark }),
  }
}

/** Compares the median, because rounds vary on a shared machine. */
export const atMost = (what: string, aim: number, unit: string, values: Values, remark?: string): Measured =>
  measured(what, `at most ${aim}`, unit, values, (middle) => middle <= aim, remark)

export const atLeast = (what: string, aim: number, unit: string, values: Values, remark?: string): Measured =>
  measured(what, `at least ${aim}`, unit, values, (middle) => middle >= aim, remark)

export const allAtMost = (what: string, aim: number, unit: string, values: Values): Measured =>
  measured(what, `at most ${aim}`, unit, values, (_middle, max) => max <= aim)

export const none = (what: string, value: number): Measured => allAtMost(what, 0, '', [value])

export const reported = (what: string, unit: string, values: Values, remark?: string): Measured =>
  measured(what, 'reported in', unit, values, () => true, remark)

export const notMeasured = (what: string, remark: string): Measured => ({
  what,
  aim: '-',
  value: undefined,
  unit: '',
  reached: false,
  remark,
})

export const lineOf = ({ what, aim, value, unit, reached, remark }: Measured): string => {
  const number = (n: number) => n.toFixed(n >= 100 ? 0 : 2)
  const figures = value ? `${number(value.median)} ${unit} (${number(value.min)} to ${number(value.max)})` : '-'
  return `  ${what}: ${figures}, aim ${aim}: ${!value ? 'not measured' : reached ? 'reached' : 'MISSED'}${remark ? ` [${remark}]` : ''}`
}

/** Runs `act` for each item, one after another. */
export const inTurn = async <I, T>(items: Iterable<I>, act: (item: I) => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (const item of items) results.push(await act(item))
  return results
}

export const repeat = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  inTurn(Array(count).keys(), act)

/** Runs rounds that yield numbers. @returns the values by name, in the order of rounds */
export const inRounds = async <K extends string>(
  count: number,
  round: (index: number) => Promise<Record<K, number>>,
): Promise<Record<K, number[]>> => {
  const rounds = await repeat(count, round)
  const names = Object.keys(rounds[0] ?? {}) as K[]
  return Object.fromEntries(names.map((name) => [name, rounds.map((each) => each[name])])) as Record<K, number[]>
}

export const msOf = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
