import { runKillCycles } from '../../server/test/faults/kill-cycles.ts'
import { atLeastOf, atMostOf, none, percentile, type Target } from './target.ts'

export const l1: Target = {
  name: 'L1',
  title: 'Kills of the server under acknowledged writes, every second one with its Postgres (count: kills)',
  count: 100,
  measure: async ({ stage, count, note }) => {
    const { acknowledged, unknown, lost, half, duplicates, readyMs } = await runKillCycles(stage, count)
    note(`${acknowledged} acknowledged, ${unknown} of unknown outcome`)
    return [
      none('acknowledged writes lost', lost),
      none('half operations', half),
      none('duplicates', duplicates),
      atLeastOf('acknowledged per kill', 50, '', acknowledged / count),
      atMostOf('ready, 95th percentile', 3, 's', percentile(readyMs, 0.95) / 1000),
    ]
  },
}
