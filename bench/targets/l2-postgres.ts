// L2: kills of the embedded Postgres while clients read and write, like the fault tests, many more times.
import { runPostgresKills } from '../../server/test/faults/database/postgres-kills.ts'
import { allAtMost, atLeast, type Bench, type Measured, none, sum } from '../lib/figure.ts'

export const title = 'Kills of Postgres under load: nothing lost, only 503s, normal within 5 s (count: kills)'
export const count = 20

export const measure = async ({ stage, count, note }: Bench): Promise<Measured[]> => {
  const { acknowledged, lost, statuses, normalMs } = await runPostgresKills(stage, count)
  note(`answers ${JSON.stringify(statuses)}`)
  const { 200: _read, 201: _written, 503: _refused, ...others } = statuses
  return [
    none('acknowledged writes lost', lost),
    none('answers that are neither good nor 503', sum(Object.values(others))),
    allAtMost('from the kill to a write that works', 5_000, 'ms', normalMs),
    atLeast('acknowledged writes', count * 10, '', [acknowledged]),
  ]
}
