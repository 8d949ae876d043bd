import type pg from 'pg'

/** For short questions; a migration itself takes as long as it takes. */
const QUESTION_TIMEOUT_MS = 3_000

/** A statement that fails as unavailable when no answer comes, instead of waiting for ever. */
export const question = (text: string): pg.QueryConfig => ({ text, query_timeout: QUESTION_TIMEOUT_MS }) as pg.QueryConfig
