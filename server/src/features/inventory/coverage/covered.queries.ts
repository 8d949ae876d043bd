import { sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'

/** Lists the addresses of results inside a network. */
export const listHostsWithin = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  network: string,
): Promise<string[]> => {
  const { rows } = await sql<{ host: string }>`
    select distinct host from results where organization_id = ${organizationId} and engagement_id = ${engagementId}
      and case when host like '%:%' or host ~ '^[0-9.]+$' then host::inet <<= ${network}::inet else false end`.execute(
    tx,
  )
  return rows.map(({ host }) => host)
}
