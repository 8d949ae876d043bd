/** Keys (by hash) of running reads that were triggered by changes of other users. */
const underWay = new Map<string, number>()

/** Marks reads with these hashes as not requested by the user while `read` runs. */
export const markLive = async (hashes: readonly string[], read: () => Promise<unknown>): Promise<void> => {
  for (const hash of hashes) underWay.set(hash, (underWay.get(hash) ?? 0) + 1)
  try {
    await read()
  } finally {
    for (const hash of hashes) {
      const left = (underWay.get(hash) ?? 1) - 1
      if (left > 0) underWay.set(hash, left)
      else underWay.delete(hash)
    }
  }
}

/** A read this soon after a write of the user can contain that write, even if an event triggered it. */
const OWN_MS = 3_000
let writing = 0
let wroteAt = Number.NEGATIVE_INFINITY

/** A write of this tab: reads until its response, and shortly after, count as the user's own. */
export const ownWrite = async <T>(write: () => Promise<T>): Promise<T> => {
  writing++
  try {
    return await write()
  } finally {
    writing--
    wroteAt = performance.now()
  }
}

/** True if this read brings changes of others: not requested by the user, and not after a write of theirs. */
export const isLive = (hash: string): boolean =>
  underWay.has(hash) && writing === 0 && performance.now() - wroteAt > OWN_MS
