import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { StoredPlace } from '../../inventory/ingest/own-verdicts.ts'

export interface EvaluatedRow extends StoredPlace {
  id: string
  own_verdict: string | null
}

/** Kinds whose place is a URL. */
const AT_URLS = ['vulnerability', 'http_response', 'web_path']

/** Subsets of results that may have their own verdict; each one uses an index. */
export const PARTS = ['own', 'targetless', 'handwritten', 'hosts', 'ports'] as const
export type Part = (typeof PARTS)[number]

/** What rules name that treat places of one host differently. */
export interface NamedPlaces {
  /** Hosts of URL rules. */
  hosts: readonly string[]
  /** Port numbers of rules for ports. */
  ports: readonly number[]
}

/** Lists the next results of a subset, in the order of ids. */
export const listForEvaluation = async (
  tx: Transaction,
  { organizationId, engagementId }: { organizationId: string; engagementId: string },
  part: Part,
  { hosts, ports }: NamedPlaces,
  after: string,
  limit: number,
): Promise<EvaluatedRow[]> => {
  const isOf: Record<Part, RawBuilder<unknown>> = {
    own: sql`r.own_verdict is not null`,
    targetless: sql`r.target_id is null and r.own_verdict is null and r.identity is not null`,
    handwritten: sql`r.identity is null and r.own_verdict is null`,
    hosts: sql`r.host = any(${hosts}::text[]) and r.kind = any(${AT_URLS}::text[]) and r.target_id is not null and r.own_verdict is null`,
    ports: sql`r.port = any(${ports}::integer[]) and r.target_id is not null and r.own_verdict is null`,
  }
  const { rows } = await sql<EvaluatedRow>`
    select r.id, r.kind, r.identity, r.asset, r.host, r.protocol, r.port, r.data ->> 'location' as location, r.target_id, r.own_verdict,
      v.verdict as target_verdict, t.canonical as target_name
    from results r left join target_verdicts v on v.target_id = r.target_id and v.organization_id = r.organization_id
      left join targets t on t.id = r.target_id and t.organization_id = r.organization_id and t.kind = 'domain'
    where r.organization_id = ${organizationId} and r.engagement_id = ${engagementId} and ${isOf[part]} and r.id > ${after}
    order by r.id limit ${limit}`.execute(tx)
  return rows
}

export const updateOwnVerdicts = async (
  tx: Transaction,
  organizationId: string,
  verdicts: readonly { id: string; verdict: string | null }[],
): Promise<void> => {
  if (verdicts.length === 0) return
  await sql`update results r set own_verdict = x.verdict from jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb) as x (id text, verdict text)
    where r.organization_id = ${organizationId} and r.id = x.id and r.id = any(${verdicts.map(({ id }) => id)}::text[])`.execute(
    tx,
  )
}
