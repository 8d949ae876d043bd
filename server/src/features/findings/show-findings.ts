import type { AffectedAsset } from '@sortie/contract/findings/affected.ts'
import type { Finding, FindingSummary } from '@sortie/contract/findings/finding-fields.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import { severityOf } from '../../platform/lists/severities.ts'
import type { AffectedRow } from './affected/affected.queries.ts'
import { type FindingRow, type WholeFindingRow } from './findings.queries.ts'
import { textsOf } from './texts/save-texts.service.ts'

export type ShownFinding = Static<typeof Finding>

export const toFinding = (row: WholeFindingRow): ShownFinding => ({ ...toFindingSummary(row), ...textsOf(row) })

export const toFindingSummary = (row: FindingRow): Static<typeof FindingSummary> => ({
  id: row.id,
  engagementId: row.engagement_id,
  number: row.number,
  title: row.title,
  severity: severityOf(row.severity),
  cvssVector: row.cvss_vector,
  cvssScore: row.cvss_score,
  state: row.state,
  status: row.status,
  clientStatus: row.client_status,
  verification: row.verification,
  severityReason: row.severity_reason,
  references: row.source_references,
  cwe: row.cwe,
  cve: row.cve,
  owasp: row.owasp,
  wstg: row.wstg,
  attack: row.attack,
  tags: row.tags,
  proofs: row.proofs,
  fields: row.fields,
  author: person(row.author_id, row.author_name),
  reviewer: person(row.reviewer_id, row.reviewer_name),
  publishedAt: row.published_at,
  libraryEntryId: row.library_entry_id,
  libraryVersion: row.library_version,
  retestOf: row.retest_of,
  affectedCounts: row.affected_counts,
  commentCount: row.comment_count,
  position: row.position,
  revision: row.revision,
  trashedAt: row.trashed_at,
  createdBy: person(row.created_by, row.creator_name),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const person = (id: string | null, name: string | null) => (id === null ? null : { id, name: name as string })

/** What results say is for those who may read them. */
export const toAffected = (row: AffectedRow, { scopes }: Pick<Actor, 'scopes'>): Static<typeof AffectedAsset> => ({
  id: row.id,
  findingId: row.finding_id,
  asset: row.asset,
  targetId: row.target_id,
  resultIds: row.result_ids,
  verdict: row.verdict,
  note: row.note,
  status: row.status,
  clientStatus: row.client_status,
  suggestedStatus: scopes.has('targets:read') ? row.suggested_status : null,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
