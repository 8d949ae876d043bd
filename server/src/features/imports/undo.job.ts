import type { Clock } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { announce } from '../../platform/events/announce.ts'
import type { Worker } from '../../platform/feature.ts'
import { type RunningJob, longRunningJob } from '../../platform/jobs/kinds.ts'
import { lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import { forgetCoverages, recordGoneOf } from '../inventory/coverage/mark-gone.service.ts'
import type { ResultSource } from '../inventory/ingest/sources.ts'
import { revertObservations } from '../inventory/revert/revert-import.service.ts'
import { forgetFoundTargets } from '../targets/removal/forget-targets.service.ts'
import { deleteImportTargets, listOwnTargets, reassignTargets } from './import-targets.queries.ts'
import * as query from './imports.queries.ts'

const AT_ONCE = 500
/** More than an engagement can have. */
const MAX_TARGETS = 1_000_000

/** Undoes an import in batches; a resumed undo continues with the rest. */
export const undoImportJob = longRunningJob<true>({
  name: 'import-undo',
  guard: 'targets:write',
  resumes: true,
  perOrganization: 1,
  event: 'import',
  run: (work, worker) => undo(work, worker),
  onEnd: async (tx, { organizationId, subjectId }, { state, reason }) => {
    const finished_at = await query.currentTime(tx)
    await query.updateImport(
      tx,
      organizationId,
      subjectId,
      state === 'succeeded'
        ? { state: 'undone', state_reason: null, finished_at }
        : { state_reason: reason, finished_at },
    )
  },
})

const undo = async (work: RunningJob, { clock }: Worker): Promise<true> => {
  const { organizationId, subjectId: id } = work
  const engagementId = work.engagementId as string
  let done = work.done
  while (true) {
    const ids = await work.batch(async (tx, actor) => {
      await lockWritableEngagementForShare(tx, actor, engagementId)
      const taken = await revertObservations(tx, clock, { organizationId, engagementId, id }, AT_ONCE)
      await markAsGoneAgain(tx, clock, { organizationId, engagementId, id }, taken.backAgain)
      await announce(tx, { type: 'result', engagementId, ids: taken.ids, change: 'updated' })
      return taken.ids
    })
    done += ids.length
    work.report(done, null)
    if (ids.length < AT_ONCE) break
  }
  await forgetTargets(work)
  await work.batch(async (tx, actor) => {
    await lockWritableEngagementForShare(tx, actor, engagementId)
    await reassignTargets(tx, organizationId, id)
    await deleteImportTargets(tx, organizationId, id)
    await forgetCoverages(tx, organizationId, id)
  })
  return true
}

interface OfImport {
  organizationId: string
  engagementId: string
  id: string
}

/** Marks results as gone again that other imports also covered and did not find. */
const markAsGoneAgain = async (
  tx: Transaction,
  clock: Clock,
  { organizationId, engagementId, id }: OfImport,
  ids: readonly string[],
): Promise<void> => {
  const looks = ids.length > 0 ? await query.listLooks(tx, organizationId, engagementId) : []
  for (const look of looks.filter((each) => each.id !== id)) await recordGoneOf(tx, clock, sourceOf(look), ids)
}

const sourceOf = ({ id, organization_id, engagement_id, format, tool, seen_at }: query.ImportRow): ResultSource => ({
  kind: 'import',
  id,
  tool: format ?? 'unknown',
  allTools: (tool ?? format ?? 'unknown').split(', '),
  organizationId: organization_id,
  engagementId: engagement_id,
  seenAt: seen_at as string,
})

/** Keeps targets that people have changed or that other sources have met. */
const forgetTargets = async (work: RunningJob): Promise<void> => {
  const engagementId = work.engagementId as string
  await work.batch(async (tx, actor) => {
    await lockWritableEngagementForShare(tx, actor, engagementId)
    const ids = await listOwnTargets(tx, work.organizationId, work.subjectId, MAX_TARGETS)
    await forgetFoundTargets(tx, work.organizationId, engagementId, ids)
  })
}
