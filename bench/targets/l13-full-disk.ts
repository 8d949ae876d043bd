// L13: a full disk below all data of the server, like the fault tests, many more times.
import { runFullDisk } from '../../server/test/faults/storage/full-disk.ts'
import { allAtMost, atLeast, type Bench, type Measured, none } from '../lib/figure.ts'

export const title =
  'A full disk: nothing lost, reads go on, writes within 5 s of free space (count: times; mounts a small disk, so only root may)'
export const count = 20

export const measure = async ({ stage, count, note }: Bench): Promise<Measured[]> => {
  const { acknowledged, refused, lost, failedReads, recoveredMs } = await runFullDisk(stage, count)
  note(`${acknowledged} writes acknowledged, ${refused} refused`)
  return [
    none('acknowledged writes lost', lost),
    none('reads that failed', failedReads),
    atLeast('writes refused', count, '', [refused]),
    allAtMost(
      'from free space to a write that works',
      5,
      's',
      recoveredMs.map((ms) => ms / 1_000),
    ),
  ]
}
