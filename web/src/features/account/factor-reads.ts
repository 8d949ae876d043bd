/** Reads that are stale once a second factor was added or removed. */
export const FACTOR_READS = [
  [null, 'getAccount'],
  [null, 'listPasskeys'],
  [null, 'listSessions'],
] as const
