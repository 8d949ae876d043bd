import type { Transaction } from '../../../platform/database/transaction.ts'
import { insertVersion } from './entries.queries.ts'
import type { Columns } from './entry-columns.ts'

/** Keeps the texts, rules and severity that an entry has from this version on. */
export const addVersion = async (
  tx: Transaction,
  organizationId: string,
  entryId: string,
  version: number,
  { severity, cvss_vector, rules, texts }: Columns,
  author: string | null,
  now: string,
): Promise<void> => {
  await insertVersion(tx, {
    organization_id: organizationId,
    entry_id: entryId,
    version,
    severity,
    cvss_vector,
    rules,
    texts,
    author,
    created_at: now,
  })
}
