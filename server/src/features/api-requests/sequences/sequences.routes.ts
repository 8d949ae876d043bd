import type { SEQUENCE_STATES } from '@sortie/contract/request-sequences.ts'
import * as contract from '@sortie/contract/request-sequences.ts'
import type { Static } from 'typebox'
import type { Database } from '../../../platform/database/open.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/context.ts'
import type { RunTools } from '../runs/execute.service.ts'
import { listRunsOfSequence } from '../runs/runs.queries.ts'
import { toRunSummary } from '../runs/show-runs.ts'
import { findSequence, type SequenceRow, sequenceList } from './sequences.queries.ts'
import { cancelRequestSequence, executeRequestFolder } from './sequences.service.ts'

export const sequenceRoutes = (tools: RunTools): Route[] => [
  route(contract.executeRequestFolder, async (context) => {
    const { db, actor, params, body } = context
    const sequenceId = await executeRequestFolder(context, tools, actor, params.folderId, body)
    return { data: await showSequence(db, actor.organizationId, sequenceId) }
  }),

  route(contract.listRequestSequences, async (context) => {
    const { rows, meta } = await sequenceList.page(context, context.query)
    return { data: rows.map(toSummary), meta }
  }),

  route(contract.getRequestSequence, async ({ db, actor, params }) => ({ data: await showSequence(db, actor.organizationId, params.sequenceId) })),

  route(contract.cancelRequestSequence, async (context) => {
    const { db, actor } = context
    const row = await cancelRequestSequence(context, actor, context.params.sequenceId)
    return { data: { ...toSummary(row), runs: (await listRunsOfSequence(db, actor.organizationId, row.id)).map(toRunSummary) } }
  }),
]

const showSequence = async (db: Database, organizationId: string, id: string): Promise<Static<typeof contract.RequestSequence>> => {
  const row = await findSequence(db, organizationId, id)
  if (!row) throw notFound()
  return { ...toSummary(row), runs: (await listRunsOfSequence(db, organizationId, id)).map(toRunSummary) }
}

const toSummary = (row: SequenceRow): Static<typeof contract.SequenceSummary> => ({
  id: row.id,
  folderId: row.folder_id,
  engagementId: row.engagement_id,
  environmentId: row.environment_id,
  state: row.state as (typeof SEQUENCE_STATES)[number],
  reason: row.reason,
  progress: { done: row.done, total: row.total },
  startedBy: row.started_by === null ? null : { id: row.started_by, name: row.started_by_name as string },
  createdAt: row.created_at,
  endedAt: row.ended_at,
})
