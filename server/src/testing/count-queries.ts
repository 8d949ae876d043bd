import pg from 'pg'
import { vi } from 'vitest'

/** Texts of the statements that this process sends while `work` runs, those of the job queue left out. */
export const statementsDuring = async (work: () => Promise<unknown>): Promise<string[]> => {
  const statements: string[] = []
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  const before = spy.mock.calls.length
  try {
    await work()
    for (const [query] of spy.mock.calls.slice(before) as unknown as [string | { text?: string }][]) {
      const text = typeof query === 'string' ? query : (query?.text ?? '')
      if (!text.includes('pgboss')) statements.push(text)
    }
  } finally {
    spy.mockRestore()
  }
  return statements
}
