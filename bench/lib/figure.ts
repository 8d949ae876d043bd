import type { BenchDatabase } from './database.ts'
import { CONNECTIONS, type Sender } from './load.ts'
import type { Server } from './processes.ts'
import { type Spread, spread } from './statistics.ts'

export interface Bench {
  database: BenchDatabase
  sender: Sender
  /** Rounds of each comparison. */
  rounds: number
  /** Length of one round. */
  seconds: number
  /** Says what is going on; not part of the result. */
  note(text: string): void
}

/** One line of the result. */
export interface Measured {
  what: string
  aim: string
  /** Undefined: it could not be measured here, and `remark` says why. */
  value: Spread | undefined
  unit: string
  reached: boolean
  remark?: string
}

/** One of the figures of the performance table. */
export interface Figure {
  name: string
  title: string
  measure(bench: Bench): Promise<Measured[]>
}

/** One side of a comparison. */
export interface Side {
  name: string
  server: Server
  path: string
  headers?: Record<string, string>
  /** 64 where it is not said. */
  connections?: number
}

interface Load {
  /** Requests per second, round by round. */
  rate: number[]
  /** CPU microseconds of the side's processes per request. */
  cpuUs: number
  /** The same, round by round. */
  cpuUsByRound: number[]
}

const WARM_UP_SECONDS = 2

/** Loads the sides in turns (A B C A B C ...), after a warm-up of each. */
export const alternateLoad = async <const S extends readonly Side[]>(bench: Bench, sides: S): Promise<{ [I in keyof S]: Load }> => {
  const results = sides.map(() => ({ rate: [] as number[], cpuUsByRound: [] as number[], cpu: 0, requests: 0 }))
  const loadOf = ({ server, path, headers = {}, connections = CONNECTIONS }: Side, seconds: number) =>
    bench.sender.load({ url: server.origin + path, headers, seconds, connections })
  for (const side of sides) await loadOf(side, WARM_UP_SECONDS)
  for (let round = 0; round < bench.rounds; round++) {
    for (const [i, side] of sides.entries()) {
      const before = side.server.cpuMs()
      const rate = await loadOf(side, bench.seconds)
      const result = results[i] as (typeof results)[number]
      result.rate.push(rate)
      const cpu = side.server.cpuMs() - before
      const requests = rate * bench.seconds
      result.cpuUsByRound.push((cpu * 1000) / requests)
      result.cpu += cpu
      result.requests += requests
    }
  }
  return results.map(({ rate, cpuUsByRound, cpu, requests }, i) => {
    const cpuUs = (cpu * 1000) / requests
    bench.note(`${sides[i]?.name}: ${Math.round(spread(rate).median)} requests/s, ${cpuUs.toFixed(0)} us of CPU each`)
    return { rate, cpuUs, cpuUsByRound }
  }) as { [I in keyof S]: Load }
}

/** `a` over `b`, each round with its neighbour. */
export const ratios = (a: Load, b: Load): Spread => spread(a.rate.map((rate, i) => rate / (b.rate[i] as number)))

export const atLeast = (what: string, aim: number, value: Spread, remark?: string): Measured => ({
  what,
  aim: `at least ${aim}`,
  value,
  unit: 'x',
  reached: value.median >= aim,
  ...(remark && { remark }),
})

export const atMost = (what: string, aim: number, unit: string, value: Spread, remark?: string): Measured => ({
  what,
  aim: `at most ${aim} ${unit}`,
  value,
  unit,
  reached: value.median <= aim,
  ...(remark && { remark }),
})

/** The line that is printed. */
export const lineOf = ({ what, aim, value, unit, reached, remark }: Measured): string => {
  const verdict = !value ? 'not measured' : reached ? 'reached' : 'MISSED'
  const number = (n: number) => n.toFixed(n >= 100 ? 0 : 2)
  const figures = value ? `${number(value.median)} ${unit} (${number(value.min)} to ${number(value.max)})` : '-'
  return `  ${what}: ${figures}, aim ${aim}: ${verdict}${remark ? ` [${remark}]` : ''}`
}
