import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict } from '../../../platform/errors.ts'
import { countResultsUpTo } from './ingest.queries.ts'

/** Returns how many more results an engagement may have. */
export const remainingResultQuota = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  limit: number,
): Promise<number> => limit - (await countResultsUpTo(tx, organizationId, engagementId, limit))

export const resultQuotaExceeded = (limit: number) =>
  conflict(`An engagement has at most ${limit} results (RESULT_LIMIT).`)
