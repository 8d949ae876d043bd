import { readFileSync } from 'node:fs'

/** A process, so that another one with the same number is not taken for it. */
export interface ProcessIdentity {
  pid: number
  /** When it started, in ticks since the machine did (proc(5)); null where the system does not say. */
  startedAt: string | null
}

export const identityOf = (pid: number): ProcessIdentity => ({ pid, startedAt: startOf(pid) })

export const isRunning = ({ pid, startedAt }: ProcessIdentity): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // A process of another user, such as one that sudo started.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  return startedAt === null || startOf(pid) === startedAt
}

/** Place of the start among the words after the name of the program, which is in parentheses and may contain spaces. */
const START_AFTER_NAME = 19

const startOf = (pid: number): string | null => {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const words = line.slice(line.lastIndexOf(')') + 2).split(' ')
    // A process that has ended, and whose parent has not asked how.
    if (words[0] === 'Z') return null
    return words[START_AFTER_NAME] ?? null
  } catch {
    return null
  }
}
