import type pg from 'pg'

/** For short queries; a migration itself has no timeout. */
const QUESTION_TIMEOUT_MS = 3_000

/** A statement that fails as unavailable if no answer comes, instead of waiting forever. */
export const question = (text: string): pg.QueryConfig =>
  ({ text, query_timeout: QUESTION_TIMEOUT_MS }) as pg.QueryConfig
