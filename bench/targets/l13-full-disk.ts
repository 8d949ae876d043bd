import { runFullDisk } from '../../server/test/faults/full-disk.ts'
import { atLeastOf, atMostOf, none, type Target } from './target.ts'

export const l13: Target = {
  name: 'L13',
  title: 'A full disk: nothing lost, reads go on, writes within 5 s of room (count: times; mounts a small disk, so only root may)',
  count: 20,
  measure: async ({ stage, count, note }) => {
    const { acknowledged, refused, lost, failedReads, recoveredMs } = await runFullDisk(stage, count)
    note(`${acknowledged} writes acknowledged, ${refused} refused`)
    return [
      none('acknowledged writes lost', lost),
      none('reads that failed', failedReads),
      atLeastOf('writes refused', count, '', refused),
      atMostOf('from room to a write that works', 5, 's', ...recoveredMs.map((ms) => ms / 1000)),
    ]
  },
}
