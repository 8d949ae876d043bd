import * as contract from '@sortie/contract/requests/request-sequences.ts'
import type { Static } from 'typebox'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import type { RunTools } from '../runs/execute/perform.service.ts'
import { toRunSummary } from '../runs/show-runs.ts'
import { refuseLoop } from '../sending/build/loops.ts'
import { type SequenceRow, sequenceList } from './sequences.queries.ts'
import {
  cancelRequestSequence,
  executeRequestFolder,
  findSequenceWithRuns,
  type SequenceWithRuns,
} from './sequences.service.ts'

export const sequenceRoutes = (tools: RunTools): Route[] => [
  route(contract.executeRequestFolder, async (context) => {
    refuseLoop(context.headers)
    const { db, actor, params, body } = context
    const sequenceId = await executeRequestFolder(context, tools, actor, params.folderId, body)
    return { data: toSequence(await findSequenceWithRuns(db, actor.organizationId, sequenceId)) }
  }),

  route(contract.listRequestSequences, async (context) => {
    const { rows, meta } = await sequenceList.page(context, context.query)
    return { data: rows.map(toSummary), meta }
  }),

  route(contract.getRequestSequence, async ({ db, actor, params }) => ({
    data: toSequence(await findSequenceWithRuns(db, actor.organizationId, params.sequenceId)),
  })),

  route(contract.cancelRequestSequence, async (context) => ({
    data: toSequence(await cancelRequestSequence(context, context.actor, context.params.sequenceId)),
  })),
]

const toSequence = ({ sequence, runs }: SequenceWithRuns): Static<typeof contract.RequestSequence> => ({
  ...toSummary(sequence),
  runs: runs.map(toRunSummary),
})

const toSummary = (row: SequenceRow): Static<typeof contract.SequenceSummary> => ({
  id: row.id,
  folderId: row.folder_id,
  engagementId: row.engagement_id,
  environmentId: row.environment_id,
  state: row.state,
  reason: row.reason,
  progress: { done: row.done, total: row.total },
  override: row.override_reason === null ? null : { reason: row.override_reason },
  startedBy: row.started_by === null ? null : { id: row.started_by, name: row.started_by_name as string },
  createdAt: row.created_at,
  endedAt: row.ended_at,
})
