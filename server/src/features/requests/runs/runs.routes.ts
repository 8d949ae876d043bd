import * as requests from '@sortie/contract/requests/api-requests.ts'
import * as contract from '@sortie/contract/requests/request-runs.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { toFile } from '../../files/show-file.ts'
import { refuseLoop } from '../sending/build/loops.ts'
import { attachRequestRun } from './attach.service.ts'
import { createDiffRuns } from './compare/diff.service.ts'
import { toExcerpt } from './excerpt.ts'
import { executePrepared } from './execute/execute.service.ts'
import type { RunTools } from './execute/perform.service.ts'
import { prepareSaved, prepareUnsaved } from './execute/prepare.service.ts'
import { findRunBody, findRunForExcerpt, runList } from './runs.queries.ts'
import { deleteRequestRun, requireRun, updateRequestRun } from './runs.service.ts'
import { toRun, toRunSummary } from './show-runs.ts'

/** A single run cannot be cancelled; its time limit ends it. */
const NEVER = new AbortController().signal

export const runRoutes = (tools: RunTools, diffRuns = createDiffRuns()): Route[] => [
  route(requests.executeApiRequest, async (context) => {
    refuseLoop(context.headers)
    const { actor, db, params, body } = context
    const prepared = await prepareSaved(context, actor, params.requestId, body)
    const { runId } = await executePrepared(context, tools, actor, prepared, NEVER)
    return { data: toRun(await requireRun(db, actor.organizationId, runId)) }
  }),

  route(requests.sendRequest, async (context) => {
    refuseLoop(context.headers)
    const { actor, db, body } = context
    const { request, ...execution } = body
    await tools.checkRules(actor.organizationId, request)
    const prepared = await prepareUnsaved(context, actor, request, execution)
    const { runId } = await executePrepared(context, tools, actor, prepared, NEVER)
    return { data: toRun(await requireRun(db, actor.organizationId, runId)) }
  }),

  route(contract.listRequestRuns, async (context) => {
    const { rows, meta } = await runList.page(context, context.query)
    return { data: rows.map(toRunSummary), meta }
  }),

  route(contract.diffRequestRuns, async ({ db, actor, query }) => ({
    data: await diffRuns(db, actor.organizationId, query.a, query.b),
  })),

  route(contract.getRequestRun, async ({ db, actor, params }) => ({
    data: toRun(await requireRun(db, actor.organizationId, params.runId)),
  })),

  route(contract.getRequestRunBody, async ({ db, actor, params }) => {
    const run = await findRunBody(db, actor.organizationId, params.runId)
    if (!run?.response || !run.body) throw notFound()
    return {
      content: run.body,
      fileName: `${params.runId}.body`,
      mediaType: 'application/octet-stream',
      isInline: false,
    }
  }),

  route(contract.getRequestRunExcerpt, async ({ db, actor, params }) => {
    const run = await findRunForExcerpt(db, actor.organizationId, params.runId)
    if (!run) throw notFound()
    return { data: toExcerpt(run) }
  }),

  route(contract.updateRequestRun, async (context) => ({
    data: toRun(await updateRequestRun(context, context.actor, context.params.runId, context.body.pinned)),
  })),

  route(contract.attachRequestRun, async (context) => {
    const made = await attachRequestRun(context, context.actor, context.params.runId, context.body)
    return { data: 'file' in made ? toFile(made.file) : made }
  }),

  route(contract.deleteRequestRun, async (context) => {
    await deleteRequestRun(context, context.actor, context.params.runId)
    return { data: { deleted: true, id: context.params.runId } }
  }),
]
