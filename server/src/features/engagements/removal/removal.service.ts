import {
  countEngagementRows,
  deleteEngagementRows,
  listEngagementTables,
} from '../../../platform/database/engagement-rows.ts'
import { readWithTrash, showTrash } from '../../../platform/database/transaction.ts'
import type { Worker } from '../../../platform/feature.ts'
import { removeDeletedBytes } from '../../../platform/files/deleted-bytes.ts'
import { type RunningJob, serverJob } from '../../../platform/jobs/kinds.ts'
import { deleteEngagementRow } from '../engagements.queries.ts'

/** Small enough that a batch, with its indexes, ends well within the statement timeout. */
const ROWS_AT_ONCE = 1_000

const remove = async (work: RunningJob<undefined>, worker: Worker): Promise<void> => {
  const { scopedTo } = worker
  const { organizationId, subjectId: engagementId } = work
  const db = scopedTo(organizationId)
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
        await showTrash(tx)
        return deleteEngagementRows(tx, table, organizationId, engagementId, ROWS_AT_ONCE)
      })
      done += deleted
      work.report(done, Math.max(total, done))
    }
  }
  await removeDeletedBytes(worker, work.signal, organizationId)
  await work.batch((tx) => deleteEngagementRow(tx, organizationId, engagementId))
}

/**
 * Removes what is in an engagement that no one sees any more, and then the engagement itself, which was the last to
 * hide it. It ends whatever becomes of the person who asked for it. Files lose their bytes here, too.
 */
export const removeEngagement = serverJob({ name: 'remove-engagement', resumes: true, run: remove })
