import os from 'node:os'

/** This process, for whoever looks for it: `host:process id`. */
export const workerName = (): string => `${os.hostname()}:${process.pid}`
