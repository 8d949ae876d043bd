import { sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'

interface OfScan {
  organizationId: string
  engagementId: string
  scanId: string
}

/** Probes of one address by one protocol within one minute. */
export interface ProbeRecord {
  address: string
  protocol: string
  /** ISO 8601: start of the minute. */
  minute: string
  source_address: string | null
  host: string | null
  /** In Postgres's notation of port ranges: `{[22,22],[8000,8100]}`. */
  ports: string
  started_at: string
  ended_at: string
}

/** Merges probes into the stored row of the same address, protocol and minute. */
export const insertProbes = async (
  tx: Transaction,
  { organizationId, engagementId, scanId }: OfScan,
  probes: readonly ProbeRecord[],
): Promise<void> => {
  await sql`insert into scan_probes as c (scan_id, address, protocol, minute, organization_id, engagement_id, source_address, host, ports, started_at, ended_at)
    select ${scanId}, x.address, x.protocol, x.minute, ${organizationId}, ${engagementId}, x.source_address, x.host, x.ports::int4multirange, x.started_at, x.ended_at
    from jsonb_to_recordset(${JSON.stringify(probes)}::jsonb) as x (
      address inet, protocol text, minute timestamptz, source_address inet, host text, ports text, started_at timestamptz, ended_at timestamptz)
    on conflict (scan_id, address, protocol, minute) do update set
      ports = c.ports + excluded.ports, host = coalesce(c.host, excluded.host), source_address = coalesce(c.source_address, excluded.source_address),
      started_at = least(c.started_at, excluded.started_at), ended_at = greatest(c.ended_at, excluded.ended_at)`.execute(
    tx,
  )
}

/** Deletes and returns the next probes from before a minute; without `before`, any probes. */
export const consumeProbes = async (
  tx: Transaction,
  { organizationId, scanId }: Omit<OfScan, 'engagementId'>,
  before: string | undefined,
  limit: number,
) => {
  const { rows } = await sql<Omit<ProbeRecord, 'minute' | 'ports'> & { ranges: [from: number, to: number][] }>`
    delete from scan_probes where (scan_id, address, protocol, minute) in (
      select scan_id, address, protocol, minute from scan_probes
      where organization_id = ${organizationId} and scan_id = ${scanId} and minute < ${before ?? 'infinity'}::timestamptz
      order by minute, address limit ${limit})
    returning host(address) as address, protocol, host(source_address) as source_address, host, started_at, ended_at,
      (select coalesce(jsonb_agg(jsonb_build_array(lower(r), upper(r) - 1)), '[]') from unnest(ports) r) as ranges`.execute(
    tx,
  )
  return rows
}
