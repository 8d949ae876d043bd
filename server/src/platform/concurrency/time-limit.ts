/** A limit is counted in this many parts; a part that ends late counts once. */
const PARTS = 5

/**
 * Calls `onLate` after `ms` milliseconds in which this process ran. Time in which it did not get to run, because its
 * event loop was busy or the machine had no processor for it, counts as at most a fifth of `ms`; and what has arrived
 * meanwhile is handled first. So the limit measures the work or the other side, and not this machine.
 *
 * @returns ends the limit
 */
export const limitTime = (ms: number, onLate: () => void): (() => void) => {
  let parts = 0
  let late: NodeJS.Immediate | undefined
  const timer = setInterval(
    () => {
      if (++parts < PARTS) return
      clearInterval(timer)
      late = setImmediate(onLate)
    },
    Math.ceil(ms / PARTS),
  )
  return () => {
    clearInterval(timer)
    clearImmediate(late)
  }
}
