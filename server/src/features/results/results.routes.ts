import * as bulk from '@sortie/contract/inventory/result-bulk.ts'
import * as history from '@sortie/contract/inventory/result-history.ts'
import * as summary from '@sortie/contract/inventory/result-summary.ts'
import * as contract from '@sortie/contract/inventory/results.ts'
import { isoTime, systemClock } from '../../platform/clock.ts'
import { badRequest, notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { requireCursor } from '../../platform/lists/cursor.ts'
import { readAsAsked } from '../../platform/lists/trash.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'
import { requireWritable } from '../engagements/locks.service.ts'
import { fileRoutesOf } from '../files/file-routes.ts'
import type { FileHolder } from '../files/files.service.ts'
import { countDiff, findWrittenMoment, listDiff, type Moment } from './diff/diff.queries.ts'
import { exportResults } from './export/results-export.ts'
import { readable, toResult, toUndo, toWholeResult } from './list/result-rows.ts'
import { getResultSummary } from './list/summary.service.ts'
import * as query from './results.queries.ts'
import { createResult, deleteResult, lockVisibleResult, updateResult } from './results.service.ts'
import { bulkDeleteResults, bulkUpdateResults } from './triage/bulk.service.ts'
import { restoreResults, revertResults } from './undo/undo.service.ts'

const EXPORT_BATCH = 100

export const resultRoutes: Route[] = [
  route(contract.createResult, async (context) => ({
    data: toWholeResult(await createResult(context, context.actor, context.body)),
  })),

  route(contract.listResults, async (context) => {
    const { rows, meta } = await readAsAsked(context, context.query.trashed, (asked) =>
      query.resultList.page(asked, context.query),
    )
    return { data: rows.map(toResult), meta }
  }),

  route(contract.countResults, async (context) => ({
    data: await readAsAsked(context, context.query.trashed, (asked) =>
      query.resultList.facets(asked, { ...context.query, by: context.query.by ?? [] }),
    ),
  })),

  route(contract.exportResults, async (context) => {
    const { format, ...filters } = context.query
    const pageAt = (cursor: string | null) =>
      query.resultList.page(context, { ...filters, perPage: EXPORT_BATCH, ...(cursor !== null && { cursor }) })
    const { rows, meta } = await pageAt(null)
    async function* others() {
      let next = meta.nextCursor
      while (next !== null) {
        const page = await pageAt(next)
        yield page.rows.map(toResult)
        next = page.meta.nextCursor
      }
    }
    return exportResults(format, rows.map(toResult), others())
  }),

  route(summary.getResultSummary, async (context) => ({
    data: await getResultSummary(context, context.query.engagementId, context.clock.now()),
  })),

  route(history.diffResults, async ({ db, actor, query: asked }) => {
    const { organizationId } = actor
    const engagementId = asked.engagementId
    if (!(await findEngagement(db, organizationId, engagementId))) throw notFound()
    const momentOf = async (name: string, written: string): Promise<Moment> => {
      const moment = await findWrittenMoment(db, organizationId, engagementId, written)
      if (!moment) throw badRequest(`${name}: there is no such scan or import in this engagement`)
      return moment
    }
    const from = await momentOf('from', asked.from)
    const to = asked.to === undefined ? undefined : await momentOf('to', asked.to)
    requireCursor(asked.cursor, /^res_[0-9a-z]{26}$/)
    const wanted = { organizationId, engagementId, from, to, kinds: asked.kind }
    const [found, counts] = await Promise.all([
      listDiff(db, wanted, asked.cursor, asked.perPage + 1),
      countDiff(db, wanted),
    ])
    const rows = found.slice(0, asked.perPage)
    const results = new Map(
      (await query.listById(db, organizationId, idsOf(rows))).map((row) => [row.id, toResult(row)]),
    )
    const summary = {
      new: 0,
      changed: 0,
      gone: 0,
      reappeared: 0,
      ...Object.fromEntries(counts.map(({ change, count }) => [change, count])),
    }
    return {
      data: rows.flatMap(({ id, change, before, after }) => {
        const result = results.get(id)
        return result
          ? [{ change, result, before: before && readable(before), after: change === 'gone' ? null : readable(after) }]
          : []
      }),
      meta: {
        perPage: asked.perPage,
        nextCursor: found.length > asked.perPage ? (rows.at(-1)?.id ?? null) : null,
        summary,
      },
    }
  }),

  route(contract.getResult, async ({ db, actor, params }) => {
    const row = await query.findResult(db, actor.organizationId, params.resultId)
    if (!row) throw notFound()
    return { data: toWholeResult(row) }
  }),

  route(contract.updateResult, async (context) => ({
    data: toWholeResult(await updateResult(context, context.actor, context.params.resultId, context.body)),
  })),

  route(contract.deleteResult, async ({ change, actor, clock, params }) => {
    await deleteResult(change, actor, clock, params.resultId)
    return { data: { deleted: true, id: params.resultId } }
  }),

  route(bulk.bulkUpdateResults, async (context) => {
    const { actor, body } = context
    const { updated, changed } = await bulkUpdateResults(context, actor, body)
    return { data: { updated, ...(body.withUndo && { undo: changed.map(toUndo) }) } }
  }),

  route(bulk.bulkDeleteResults, async ({ change, actor, clock, body: { withUndo, ...selection } }) => {
    const ids = await bulkDeleteResults(change, actor, clock, selection)
    return { data: { deleted: ids.length, ...(withUndo && { ids }) } }
  }),

  route(bulk.revertResults, async (context) => ({
    data: await revertResults(context, context.actor, context.body.items),
  })),

  route(bulk.restoreResults, async (context) => ({ data: await restoreResults(context, context.actor, context.body) })),

  route(history.listObservations, async ({ db, actor, params }) => {
    if (!(await query.findResult(db, actor.organizationId, params.resultId))) throw notFound()
    const rows = await query.listObservations(db, actor.organizationId, params.resultId)
    return {
      data: rows.map((row) => ({
        source: { kind: row.source_kind, id: row.source_id },
        change: row.change,
        seenAt: row.seen_at,
        before: row.before && readable(row.before),
        after: row.after && readable(row.after),
      })),
    }
  }),
]

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** Files attached to a result are its evidence. */
const evidence: FileHolder = {
  type: 'result',
  find: async (db, organizationId, id) => {
    if (!(await query.findResult(db, organizationId, id))) throw notFound()
  },
  requireWritable: async (db, organizationId, id) => {
    const result = await query.findResult(db, organizationId, id)
    if (!result) throw notFound()
    requireWritable(await findEngagement(db, organizationId, result.engagement_id))
  },
  hold: async (tx, actor, id) => {
    const { engagement_id: engagementId } = await lockVisibleResult(tx, actor, id)
    await query.touchResult(tx, actor.organizationId, id, isoTime(systemClock.now()))
    return { engagementId }
  },
}

export const evidenceRoutes: Route[] = fileRoutesOf(
  {
    upload: contract.uploadResultFile,
    list: contract.listResultFiles,
    download: contract.downloadResultFile,
    remove: contract.deleteResultFile,
  },
  evidence,
  'resultId',
)
