/** Reads that become stale after a second factor is added or removed. */
export const FACTOR_READS = [
  [null, 'getAccount'],
  [null, 'listPasskeys'],
  [null, 'listSessions'],
] as const
