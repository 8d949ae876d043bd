import { sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'

export interface KnownService {
  /** Target of the name; null if the service is at one of the hosts itself. */
  target_id: string | null
  host: string
  port: number
  /** The protocol of the service, if known. */
  service: string | null
}

/**
 * Lists known TCP services, whatever their source: open services, and places with an HTTP response.
 *
 * @param hosts addresses and names
 * @param targetIds targets of names: results found by a name are stored at its addresses
 */
export const listKnownServices = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  hosts: readonly string[],
  targetIds: readonly string[],
  limit: number,
): Promise<KnownService[]> => {
  const listening = sql`r.organization_id = ${organizationId} and r.engagement_id = ${engagementId} and r.state = 'present' and r.host is not null
    and r.port is not null and (r.kind = 'service' and r.protocol = 'tcp' or r.kind in ('http_response', 'web_path'))`
  // Merges several kinds at one port; the service determines the protocol.
  const { rows } = await sql<KnownService>`
    select distinct on (k.target_id, k.host, k.port) k.target_id, k.host, k.port, k.service from (
      select null as target_id, r.host, r.port, r.kind, r.data ->> 'name' as service from results r where ${listening} and r.host = any(${hosts}::text[])
      union all
      select r.target_id, r.host, r.port, r.kind, r.data ->> 'name' from results r where ${listening} and r.target_id = any(${targetIds}::text[])
    ) k
    order by k.target_id, k.host, k.port, k.kind = 'service' desc limit ${limit}`.execute(tx)
  return rows
}
