/** Requests under way get so long, once no new ones are taken. */
export const DRAIN_TIMEOUT_MS = 10_000
export const JOBS_STOP_TIMEOUT_MS = 5_000
/** Connections that nobody uses are kept open for so long by a process that another one has replaced. */
export const LEAVE_TIMEOUT_MS = 10_000
