import type { Actor } from '../auth/actor.ts'
import { type Clock, isoTime } from '../clock.ts'
import type { Transaction } from '../database/transaction.ts'
import { newId } from '../ids.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { endWithFeature } from './end.ts'
import { type WorkKind, workJobType } from './kinds.ts'
import { insertWork, lockWork, requestCancel } from './rows.ts'

export interface Wanted {
  /** Who asks: the work acts with this actor's rights of then, looked at before each batch. */
  actor: Actor
  /** Null for what belongs to the whole organization, or outlives the engagement. */
  engagementId: string | null
  subjectId: string
  /** How much there is to do, where it is known. */
  total?: number
}

interface Starter {
  clock: Clock
  jobs: Jobs
}

/**
 * The work exists, and will be done, if and only if `tx` commits. Announcing that its subject was created is the caller's.
 *
 * @returns the id of the work
 */
export const startWork = async (tx: Transaction, { clock, jobs }: Starter, kind: WorkKind, wanted: Wanted): Promise<string> => {
  const { actor, engagementId, subjectId, total } = wanted
  const { organizationId } = actor
  const now = clock.now()
  const id = newId('wrk', now)
  const isAsked = kind.guard !== 'server'
  const jobId = await jobs.enqueue(tx, workJobType(kind), { organizationId, workId: id })
  await insertWork(tx, {
    id,
    organization_id: organizationId,
    engagement_id: engagementId,
    kind: kind.name,
    subject_id: subjectId,
    actor_kind: isAsked ? actor.kind : null,
    actor_id: isAsked ? actor.id : null,
    actor_name: isAsked ? actor.name : null,
    actor_address: isAsked ? actor.address : null,
    total: total ?? null,
    job_id: jobId,
    created_at: isoTime(now),
  })
  return id
}

/**
 * Cancels a work: at once where nobody does it yet; else its signal is aborted within 2 seconds of the commit, and it has
 * ended soon after. Locks its row, so engagement and objects are locked before. Nothing happens to one that has ended.
 *
 * @returns whether it had not ended
 */
export const cancelWork = async (
  tx: Transaction,
  { clock }: Pick<Starter, 'clock'>,
  kind: WorkKind,
  organizationId: string,
  workId: string,
): Promise<boolean> => {
  const row = await lockWork(tx, organizationId, workId)
  if (!row || !['queued', 'running'].includes(row.state)) return false
  if (row.state === 'running') await requestCancel(tx, workId, isoTime(clock.now()))
  else await endWithFeature(tx, kind, row, { state: 'cancelled', reason: CANCELLED, result: undefined }, clock)
  return true
}

/** The reason of a work that somebody cancelled. */
export const CANCELLED = 'It was cancelled.'
