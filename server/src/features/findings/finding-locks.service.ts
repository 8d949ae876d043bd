import type { Actor } from '../../platform/auth/actor.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import {
  type FindingRow,
  findEngagementOfFinding,
  lockFinding,
  lockFindings,
  lockMembersWithAccess,
  type WholeFindingRow,
} from './findings.queries.ts'

/** Locks a finding for a change of itself. @throws ApiError NOT_FOUND, CONFLICT in an archived engagement */
export const lockVisibleFinding = async (
  tx: Transaction,
  actor: Actor,
  findingId: string,
): Promise<WholeFindingRow> => {
  await lockEngagementOfFindingForShare(tx, actor, findingId)
  const finding = await lockFinding(tx, actor.organizationId, findingId)
  if (!finding) throw notFound()
  return finding
}

/** @returns the id of the engagement @throws ApiError NOT_FOUND, CONFLICT for an archived engagement */
export const lockEngagementOfFindingForShare = async (
  tx: Transaction,
  actor: Actor,
  findingId: string,
): Promise<string> => {
  const engagementId = await findEngagementOfFinding(tx, actor.organizationId, findingId)
  if (engagementId === undefined) throw notFound()
  await lockWritableEngagementForShare(tx, actor, engagementId)
  return engagementId
}

/** @throws ApiError NOT_FOUND, CONFLICT in the trash and in an archived engagement */
export const lockWritableFinding = async (
  tx: Transaction,
  actor: Actor,
  findingId: string,
): Promise<WholeFindingRow> => {
  const finding = await lockVisibleFinding(tx, actor, findingId)
  requireKept(finding)
  return finding
}

/** Locks findings whose engagements the transaction has locked. @throws ApiError CONFLICT in the trash */
export const lockWritableFindings = async (
  tx: Transaction,
  { organizationId }: Actor,
  findingIds: readonly string[],
): Promise<FindingRow[]> => {
  const findings = await lockFindings(tx, organizationId, findingIds)
  for (const finding of findings) requireKept(finding)
  return findings
}

/** @throws ApiError CONFLICT in the trash */
export const requireKept = ({ trashed_at }: Pick<WholeFindingRow, 'trashed_at'>): void => {
  if (trashed_at !== null) throw conflict('This finding is in the trash: restore it first.')
}

/** @throws ApiError VALIDATION_ERROR for a user who does not see the engagement */
export const requirePeople = async (
  tx: Transaction,
  { organizationId }: Actor,
  engagementId: string,
  people: { authorId?: unknown; reviewerId?: unknown },
): Promise<void> => {
  const named = [people.authorId, people.reviewerId].filter((id) => typeof id === 'string')
  if (named.length === 0) return
  const seers = await lockMembersWithAccess(tx, organizationId, engagementId, named)
  for (const field of ['authorId', 'reviewerId'] as const) {
    const id = people[field]
    if (typeof id === 'string' && !seers.has(id))
      throw invalid(`${field}: must be a member with access to this engagement`)
  }
}
