import type { Transaction } from '../../../platform/database/transaction.ts'
import { invalid } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import type { Worker } from '../../../platform/feature.ts'
import { type RunningJob, type LongRunningJob, longRunningJob } from '../../../platform/jobs/kinds.ts'
import { findEngagement, lockEngagementForShare } from '../engagements.queries.ts'
import { lockWritableEngagementForShare } from '../locks.service.ts'
import type { ClonePart, Cloning, EngagementPart } from '../parts.ts'
import { deleteClone, findClone, updateClone } from './clone.queries.ts'

/** The uncopied rest: the parts, current one first, and the position in the current one. */
export interface Rest {
  parts: readonly ClonePart[]
  after: string | undefined
}

/** Copies the next batch. @returns the rest; undefined once everything is copied */
export const copyNext = async (
  tx: Transaction,
  cloning: Cloning,
  parts: readonly EngagementPart[],
  { parts: left, after }: Rest,
): Promise<Rest | undefined> => {
  const clone = parts.find((each) => each.clone?.part === left[0])?.clone
  if (!clone) throw new Error(`no feature copies ${left[0]}`)
  const next = await clone.copy(tx, cloning, after)
  if (next !== undefined) return { parts: left, after: next }
  return left.length > 1 ? { parts: left.slice(1), after: undefined } : undefined
}

/**
 * Copies what a clone could not copy before its response, one batch per transaction. Its position is stored in its row,
 * so it resumes.
 */
export const copyRest = (parts: readonly EngagementPart[]): LongRunningJob =>
  longRunningJob({
    name: 'clone',
    // Members may clone where the organization lets them: the request has checked that.
    guard: 'member-or-key:ENGAGEMENT_WRITE_SCOPE',
    resumes: true,
    event: 'engagement',
    run: async (work, worker) => {
      let pieces: number | undefined = 0
      while (pieces !== undefined) {
        pieces = await copyPiece(work, worker, parts)
        if (pieces !== undefined) work.report(pieces, null)
      }
    },
  })

/** @returns how many batches are copied; undefined once all are */
const copyPiece = (
  work: RunningJob,
  { clock, config, storage }: Worker,
  parts: readonly EngagementPart[],
): Promise<number | undefined> =>
  work.batch(async (tx, actor) => {
    const { organizationId, subjectId: to } = work
    await lockWritableEngagementForShare(tx, actor, to)
    const row = await findClone(tx, organizationId, to)
    if (!row) return undefined
    await lockEngagementForShare(tx, organizationId, row.source_id)
    if (!(await findEngagement(tx, organizationId, row.source_id)))
      throw invalid('The engagement that is copied no longer exists.')
    const rest = await copyNext(tx, { actor, clock, config, storage, from: row.source_id, to }, parts, {
      parts: row.parts,
      after: row.after ?? undefined,
    })
    const pieces = row.pieces + 1
    if (rest) await updateClone(tx, organizationId, to, { parts: rest.parts, after: rest.after ?? null, pieces })
    else await deleteClone(tx, organizationId, to)
    await announce(tx, { type: 'engagement', engagementId: to, ids: [to], change: 'updated' })
    return rest && pieces
  })
