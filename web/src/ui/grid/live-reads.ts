/** Reads that are made again because somebody changed something, by the hash of their key. */
const underWay = new Map<string, number>()

/** While `read` lasts, those of these hashes were not asked for by the person who looks. */
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

/** What is read so soon after an own write may bring what the person wrote, whoever told of it. */
const OWN_MS = 3_000
let writing = 0
let wroteAt = Number.NEGATIVE_INFINITY

/** A change that this tab sends: what is read until it is answered, and soon after, counts as the person's own. */
export const ownWrite = async <T>(write: () => Promise<T>): Promise<T> => {
  writing++
  try {
    return await write()
  } finally {
    writing--
    wroteAt = performance.now()
  }
}

/** Whether this read brings what others did: it was not asked for by the person, and follows no write of theirs. */
export const isLive = (hash: string): boolean => underWay.has(hash) && writing === 0 && performance.now() - wroteAt > OWN_MS
