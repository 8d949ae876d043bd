/** Runs what waits for somebody else's server. Whoever calls it bounds how many wait. */
export type Outside = <T>(work: () => Promise<T>) => Promise<T>
