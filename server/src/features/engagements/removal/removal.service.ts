import {
  countEngagementRows,
  deleteEngagementRows,
  listEngagementTables,
} from '../../../platform/database/engagement-rows.ts'
import { withEveryRow } from '../../../platform/database/every-row.ts'
import { EVERY_ROW } from '../../../platform/database/scope/tenant-scope.ts'
import { enterView, readWithTrash, showTrash } from '../../../platform/database/transaction.ts'
import type { Worker } from '../../../platform/feature.ts'
import { removeDeletedBytes } from '../../../platform/files/deleted-bytes.ts'
import { type RunningJob, serverJob } from '../../../platform/jobs/kinds.ts'
import { deleteEngagementRow } from './removal.queries.ts'

/** Small enough that a batch, with its indexes, ends well within the statement timeout. */
const ROWS_AT_ONCE = 1_000

const remove = async (work: RunningJob<undefined>, worker: Worker): Promise<void> => {
  const everyRow = withEveryRow(worker)
  const { organizationId, subjectId: engagementId } = work
  const db = everyRow.scopedTo(organizationId)
  const tables = await listEngagementTables(db)
  const counts = await readWithTrash(db, async (tx) => {
    const sizes: number[] = []
    for (const table of tables) sizes.push(await countEngagementRows(tx, table, organizationId, engagementId))
    return sizes
  })
  let { done } = work
  const total = done + counts.reduce((sum, count) => sum + count, 0)
  for (const table of tables) {
    for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE;) {
      deleted = await work.batch(async (tx) => {
        await enterView(tx, EVERY_ROW)
        await showTrash(tx)
        return deleteEngagementRows(tx, table, organizationId, engagementId, ROWS_AT_ONCE)
      })
      done += deleted
      work.report(done, Math.max(total, done))
    }
  }
  await removeDeletedBytes(everyRow, work.signal, organizationId)
  await work.batch(async (tx) => {
    await enterView(tx, EVERY_ROW)
    await deleteEngagementRow(tx, organizationId, engagementId)
  })
}

/**
 * Removes what is in an engagement that was purged from the trash, and then the engagement itself. It ends whatever becomes of the person who asked for it. Files lose their bytes here, too.
 */
export const removeEngagement = serverJob({ name: 'remove-engagement', resumes: true, run: remove })
