import { countEngagementRows, deleteEngagementRows, listEngagementTables } from '../../platform/database/engagement-rows.ts'
import type { Worker } from '../../platform/feature.ts'
import { type RunningWork, serverWorkKind } from '../../platform/work/kinds.ts'
import { deleteEngagementRow } from './engagements.queries.ts'

/** Small enough that a batch, with its indexes, ends well within the statement timeout. */
const ROWS_AT_ONCE = 1_000

const remove = async (work: RunningWork<undefined>, { scopedTo }: Worker): Promise<void> => {
  const { organizationId, subjectId: engagementId } = work
  const db = scopedTo(organizationId)
  const tables = await listEngagementTables(db)
  const counts = await Promise.all(tables.map((table) => countEngagementRows(db, table, organizationId, engagementId)))
  let { done } = work
  const total = done + counts.reduce((sum, count) => sum + count, 0)
  for (const table of tables) {
    for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE; ) {
      deleted = await work.batch((tx) => deleteEngagementRows(tx, table, organizationId, engagementId, ROWS_AT_ONCE))
      done += deleted
      work.report(done, Math.max(total, done))
    }
  }
  await work.batch((tx) => deleteEngagementRow(tx, organizationId, engagementId))
}

/**
 * Deletes the content of a hidden engagement, and then the engagement itself, whose row hides it. Runs to its end even if the
 * user who requested it is removed. Files lose their rows here; the hourly job deletes their bytes.
 */
export const removeEngagement = serverWorkKind({ name: 'remove-engagement', resumes: true, run: remove })
