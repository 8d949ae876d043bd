// L1: kills of the server during writes, like the fault tests, many more times.
import { runKillCycles } from '../../server/test/faults/database/kill-cycles.ts'
import { allAtMost, atLeast, type Bench, type Measured, none, percentile } from '../lib/figure.ts'

export const title = 'Kills of the server under acknowledged writes, every second one with its Postgres (count: kills)'
export const count = 100

export const measure = async ({ stage, count, note }: Bench): Promise<Measured[]> => {
  const { acknowledged, unknown, lost, half, duplicates, readyMs } = await runKillCycles(stage, count)
  note(`${acknowledged} acknowledged, ${unknown} of unknown outcome`)
  return [
    none('acknowledged writes lost', lost),
    none('half operations', half),
    none('duplicates', duplicates),
    atLeast('acknowledged per kill', 50, '', [acknowledged / count]),
    allAtMost('ready, 95th percentile', 3, 's', [percentile(readyMs, 0.95) / 1_000]),
  ]
}
