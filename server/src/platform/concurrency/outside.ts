/** Runs work that waits for an external server. The caller bounds how many wait. */
export type Outside = <T>(work: () => Promise<T>) => Promise<T>
