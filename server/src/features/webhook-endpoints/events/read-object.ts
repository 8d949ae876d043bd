import type { Actor } from '../../../platform/auth/actor.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { TitleSources } from '../../../platform/text/titles.ts'
import { findEngagement } from '../../engagements/engagements.queries.ts'
import { toEngagement } from '../../engagements/show-engagement.ts'
import { findFinding } from '../../findings/findings.queries.ts'
import { toFinding } from '../../findings/show-findings.ts'
import { findImport } from '../../imports/imports.queries.ts'
import { toImport } from '../../imports/show-import.ts'
import { findReport } from '../../reports/reports.queries.ts'
import { toReportSummary } from '../../reports/show-reports.ts'
import { findRetest } from '../../retests/retests.queries.ts'
import { toRetest } from '../../retests/show-retest.ts'
import { findScan } from '../../scans/scans.queries.ts'
import { toScan } from '../../scans/show-scan.ts'
import { showTask } from '../../tasks/lists/show-tasks.ts'
import { findTask } from '../../tasks/tasks.queries.ts'

type Read = (tx: Transaction, actor: Actor, id: string, sources: TitleSources) => Promise<object | undefined>

const reading =
  <Row>(
    find: (tx: Transaction, organizationId: string, id: string) => Promise<Row | undefined>,
    show: (row: Row) => object,
  ): Read =>
  async (tx, { organizationId }, id) => {
    const row = await find(tx, organizationId, id)
    return row && show(row)
  }

/** By the prefix of the id. */
const READERS: Readonly<Record<string, Read>> = {
  eng: reading(findEngagement, toEngagement),
  fnd: reading(findFinding, toFinding),
  imp: reading(findImport, toImport),
  // Without its sections, which are rarely below the limit of a message.
  rpt: reading(findReport, toReportSummary),
  rts: reading(findRetest, toRetest),
  scn: reading(findScan, toScan),
  tsk: async (tx, actor, id, sources) => {
    const row = await findTask(tx, actor.organizationId, id)
    return row && showTask(tx, sources, actor, row)
  },
}

/** The object as the API shows it to the actor, in the transaction's view; undefined if it has no page of its own or is gone. */
export const readObject: Read = async (tx, actor, id, sources) => READERS[id.slice(0, 3)]?.(tx, actor, id, sources)
