import pg from 'pg'
import { vi } from 'vitest'

/** Starts and ends a transaction in its scope, or a connection. */
const FRAME = /^(?:begin|commit|rollback|select assume_role)\b/

/**
 * Texts of the statements that this process sends while `work` runs, without the frame of transactions, and without
 * those of the job queue except new jobs.
 */
export const statementsDuring = async (work: () => Promise<unknown>): Promise<string[]> => {
  const statements: string[] = []
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  const before = spy.mock.calls.length
  try {
    await work()
    for (const [query] of spy.mock.calls.slice(before) as unknown as [string | { text?: string }][]) {
      const text = typeof query === 'string' ? query : (query?.text ?? '')
      const isQueue = /pgboss|pg_listening_channels/.test(text) && !/insert into pgboss\.job\w*\s*\(/i.test(text)
      if (!isQueue && !FRAME.test(text)) statements.push(text)
    }
  } finally {
    spy.mockRestore()
  }
  return statements
}

/** The smallest number of statements of three runs: whatever the server does at intervals may fall into one. */
export const countStatements = async (work: () => Promise<unknown>): Promise<number> => {
  const counts: number[] = []
  for (let run = 0; run < 3; run++) counts.push((await statementsDuring(work)).length)
  return Math.min(...counts)
}
