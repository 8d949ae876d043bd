import pg from 'pg'
import { vi } from 'vitest'
import { ENTER_SCOPE } from '../platform/database/scope.ts'

/** Texts of the statements that this process sends while `work` runs, those of the job queue and of a connection's first moment left out. */
export const statementsDuring = async (work: () => Promise<unknown>): Promise<string[]> => {
  const statements: string[] = []
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  const before = spy.mock.calls.length
  try {
    await work()
    for (const [query] of spy.mock.calls.slice(before) as unknown as [string | { text?: string }][]) {
      const text = typeof query === 'string' ? query : (query?.text ?? '')
      if (!text.includes('pgboss') && text !== ENTER_SCOPE.text) statements.push(text)
    }
  } finally {
    spy.mockRestore()
  }
  return statements
}
