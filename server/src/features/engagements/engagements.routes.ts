import * as activity from '@sortie/contract/engagement/engagement-activity.ts'
import * as details from '@sortie/contract/engagement/engagement-details.ts'
import * as overview from '@sortie/contract/engagement/engagement-overview.ts'
import * as summaries from '@sortie/contract/engagement/engagement-summaries.ts'
import * as contract from '@sortie/contract/engagement/engagements.ts'
import type { Static } from 'typebox'
import { notFound } from '../../platform/errors.ts'
import { pageMeta } from '../../platform/http/answers/pages.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import type { LongRunningJob } from '../../platform/jobs/kinds.ts'
import { activityList } from '../audit/audit.queries.ts'
import { showActivity } from '../audit/show-activity.ts'
import { cloneEngagement } from './clone/clone.service.ts'
import { type DetailsRow, findDetails } from './details/details.queries.ts'
import { updateEngagementDetails } from './details/details.service.ts'
import { findEngagement, listEngagements } from './engagements.queries.ts'
import { createEngagement, updateEngagement } from './engagements.service.ts'
import { FAR_OFFSET, waitForFarPage } from './far-pages.ts'
import { getEngagementOverview } from './overview.service.ts'
import type { EngagementPart } from './parts.ts'
import { toEngagement } from './show-engagement.ts'
import { summaryList } from './summaries.queries.ts'

/**
 * @param parts one for each feature whose objects belong to engagements
 * @param later copies the rest of a clone
 */
export const engagementRoutes = (parts: readonly EngagementPart[], later: LongRunningJob): Route[] => [
  route(contract.createEngagement, async (context) => ({
    data: toEngagement(await createEngagement(context, context.actor, { description: '', ...context.body })),
  })),

  route(contract.listEngagements, async ({ db, actor, query }) => {
    const { page, perPage, status, kind, leadId, q, sort, order } = query
    const offset = (page - 1) * perPage
    const wanted = { status, kind, leadId, q, sort, order, limit: perPage, offset }
    const end = offset < FAR_OFFSET ? undefined : await waitForFarPage(actor.organizationId)
    const { total, engagements } = await listEngagements(db, actor.organizationId, wanted).finally(end)
    return { data: engagements.map(toEngagement), meta: pageMeta(query, total) }
  }),

  route(summaries.listEngagementSummaries, async (context) => {
    const { rows, meta } = await summaryList.page(context, context.query)
    return { data: rows.map(toSummary), meta }
  }),

  route(summaries.countEngagementSummaries, async (context) => ({
    data: await summaryList.facets(context, { ...context.query, by: context.query.by ?? [] }),
  })),

  route(contract.getEngagement, async ({ db, actor, params }) => {
    const engagement = await findEngagement(db, actor.organizationId, params.engagementId)
    if (!engagement) throw notFound()
    return { data: toEngagement(engagement) }
  }),

  route(contract.updateEngagement, async ({ change, actor, clock, params, body }) => {
    const { name, description, status, ifUpdatedAt } = body
    return {
      data: toEngagement(
        await updateEngagement(change, actor, clock, params.engagementId, { name, description, status, ifUpdatedAt }),
      ),
    }
  }),

  route(details.getEngagementDetails, async ({ db, actor, params }) => {
    const row = await findDetails(db, actor.organizationId, params.engagementId)
    if (!row) throw notFound()
    return { data: toDetails(row) }
  }),

  route(details.updateEngagementDetails, async (context) => {
    const { actor, params, body } = context
    return { data: toDetails(await updateEngagementDetails(context, actor, params.engagementId, body)) }
  }),

  route(overview.getEngagementOverview, async ({ db, actor, params }) => ({
    data: await getEngagementOverview(db, actor, params.engagementId, parts),
  })),

  route(overview.cloneEngagement, async (context) => {
    const { actor, params, body } = context
    return { data: toEngagement(await cloneEngagement(context, actor, params.engagementId, body, parts, later)) }
  }),

  route(activity.listEngagementActivity, async (context) => {
    const { db, actor, query } = context
    const { engagementId } = context.params
    const { rows, meta } = await activityList.page(context, { ...query, engagementId })
    if (!(await findEngagement(db, actor.organizationId, engagementId))) throw notFound()
    return { data: await showActivity(db, actor, rows), meta }
  }),
]

const toDetails = (row: DetailsRow): Static<typeof details.EngagementDetails> => ({
  engagementId: row.id,
  clientId: row.client_id,
  clientName: row.client_name,
  kind: row.kind,
  kinds: row.kinds as Static<typeof details.EngagementDetails>['kinds'],
  isTemplate: row.is_template,
  startsOn: row.starts_on,
  endsOn: row.ends_on,
  testingHours: row.testing_hours as Static<typeof details.EngagementDetails>['testingHours'],
  contacts: row.contacts as Static<typeof details.EngagementDetails>['contacts'],
  prefix: row.task_prefix,
  reportWords: row.report_words,
  access: row.team_only ? 'team' : 'organization',
  lead: row.lead,
  team: row.team ?? [],
  fields: row.fields,
  hold: toHold(row),
  updatedAt: row.details_updated_at,
})

const toHold = ({ hold_reason: reason, held_by: id, held_by_name: name, held_at: heldAt }: DetailsRow) =>
  reason === null || id === null || name === null || heldAt === null ? null : { reason, heldBy: { id, name }, heldAt }

type SummaryRow = Awaited<ReturnType<typeof summaryList.page>>['rows'][number]

const toSummary = (row: SummaryRow): Static<typeof summaries.EngagementSummary> => ({
  id: row.id,
  name: row.name,
  status: row.status,
  clientId: row.client_id,
  clientName: row.client_name,
  kind: row.kind,
  kinds: row.kinds as Static<typeof summaries.EngagementSummary>['kinds'],
  isTemplate: row.is_template,
  prefix: row.task_prefix,
  startsOn: row.starts_on,
  endsOn: row.ends_on,
  lead: row.lead,
  fields: row.fields,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
