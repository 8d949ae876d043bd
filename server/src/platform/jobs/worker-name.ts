import os from 'node:os'

/** Names this process for operators: `host:process id`. */
export const workerName = (): string => `${os.hostname()}:${process.pid}`
