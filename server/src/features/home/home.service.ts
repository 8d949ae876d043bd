import type * as contract from '@sortie/contract/account/home.ts'
import { VISITED_TYPES } from '@sortie/contract/account/home.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Keys } from '../../platform/crypto.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { invalid } from '../../platform/errors.ts'
import type { Titled, TitleSources } from '../../platform/text/titles.ts'
import { isWithinTestingHours, nextTestingWindow, testingTimeZone } from '../engagements/details/testing-hours.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'
import { findingList } from '../findings/findings.queries.ts'
import { toFindingSummary } from '../findings/show-findings.ts'
import { noticeList } from '../notifications/notifications.queries.ts'
import { toResult } from '../results/list/result-rows.ts'
import { resultList } from '../results/results.queries.ts'
import { showTasks } from '../tasks/lists/show-tasks.ts'
import { taskList } from '../tasks/tasks.queries.ts'
import * as query from './home.queries.ts'

type Home = Static<typeof contract.Home>

interface Context {
  db: Database
  actor: Actor
  clock: Clock
  keys: Pick<Keys, 'cursor'>
}

/** Entries of each list. */
const SHOWN = 10
const MAX_VISITS = 20
const DAY_MS = 24 * 60 * 60 * 1000
const NOT_OVER = ['open', 'in_progress', 'blocked']

/** The start page of the signed-in user; a part is null without the scope to read it. */
export const getHome = async (context: Context, sources: TitleSources): Promise<Home> => {
  const { db, actor, clock } = context
  const { organizationId, id: userId, scopes } = actor
  const now = clock.now()
  const [tasks, dueThisWeek] = scopes.has('tasks:read')
    ? await listOwnTasks(context, sources, dayAfterSunday(now))
    : [null, null]
  const notices = await noticeList.page({ ...context, db }, { own: true, unread: true, perPage: 1 })
  return {
    tasks,
    dueThisWeek,
    results: scopes.has('targets:read') ? await listResults(context) : null,
    drafts: await listFindings(context, { authorId: ['me'], state: ['draft'] }),
    reviews: await listFindings(context, { reviewerId: ['me'], state: ['in_review'] }),
    engagements: (await query.listUnderWay(db, organizationId, userId, isoTime(now).slice(0, 10), SHOWN)).map((row) =>
      toEngagement(row, now),
    ),
    scans: scopes.has('targets:read') ? await listScans(db, organizationId) : null,
    unread: notices.meta.total ?? 0,
    recent: await listRecent(context, sources),
  }
}

/** Above 10,000, a list reports that number. */
const MAX_TOTAL = 10_000

/** Rows of a list at most (`perPage`). */
const MAX_READ = 100

/** The caller's tasks that are due before this day, and the others: they are one list, sorted by the day. */
const listOwnTasks = async (context: Context, sources: TitleSources, day: string) => {
  const own = { assigneeId: ['me'], status: NOT_OVER, sort: 'dueOn', order: 'asc' }
  const show = (rows: Parameters<typeof showTasks>[3]) => showTasks(context.db, sources, context.actor, rows)
  const due = await taskList.page(context, { ...own, dueBefore: day, perPage: SHOWN })
  const dueTotal = due.meta.total ?? MAX_TOTAL
  const all = await taskList.page(context, { ...own, perPage: Math.min(dueTotal + SHOWN, MAX_READ) })
  const others = all.rows.filter(({ due_on }) => due_on === null || due_on >= day).slice(0, SHOWN)
  return [
    { items: await show(others), total: Math.max((all.meta.total ?? MAX_TOTAL) - dueTotal, others.length) },
    { items: await show(due.rows), total: dueTotal },
  ] as const
}

const listResults = async (context: Context) => {
  const wanted = {
    assigneeId: ['me'],
    kind: ['vulnerability'],
    status: ['open', 'confirmed'],
    sort: 'severity',
    order: 'desc',
    perPage: SHOWN,
  }
  const { rows, meta } = await resultList.page(context, wanted)
  return { items: rows.map(toResult), total: meta.total ?? MAX_TOTAL }
}

/** Findings of the caller, worst first; null without the scope. */
const listFindings = async (context: Context, own: Record<string, readonly string[]>) => {
  if (!context.actor.scopes.has('reports:read')) return null
  const { rows, meta } = await findingList.page(context, { ...own, sort: 'severity', order: 'desc', perPage: SHOWN })
  return { items: rows.map(toFindingSummary), total: meta.total ?? MAX_TOTAL }
}

/** The Monday after this week, in UTC: everything due before it is due this week. */
const dayAfterSunday = (now: number): string => {
  const sinceMonday = (new Date(now).getUTCDay() + 6) % 7
  return isoTime(now + (7 - sinceMonday) * DAY_MS).slice(0, 10)
}

const toEngagement = (row: query.UnderWay, now: number): Home['engagements'][number] => {
  const isOpen = isWithinTestingHours(row, now)
  const next = isOpen ? undefined : nextTestingWindow(row, now)
  return {
    id: row.id,
    name: row.name,
    clientName: row.client_name,
    kinds: row.kinds as Home['engagements'][number]['kinds'],
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    isOwn: row.is_own,
    lead: row.lead,
    testing: {
      isOpen,
      timeZone: testingTimeZone(row),
      opens: next ? { day: next.day, weekday: next.weekday, time: next.time } : null,
    },
  }
}

const listScans = async (db: Database, organizationId: string): Promise<Home['scans']> => {
  const rows = await query.listRunningScans(db, organizationId, SHOWN)
  const items = rows.map((row) => ({
    id: row.id,
    engagementId: row.engagement_id,
    engagementName: row.engagement_name,
    name: row.name,
    state: row.state,
    startedAt: row.started_at,
    done: row.done,
    total: row.total,
  }))
  return { items, total: rows[0]?.count ?? 0 }
}

type VisitedType = (typeof VISITED_TYPES)[keyof typeof VISITED_TYPES]

const typeOf = (objectId: string): VisitedType => VISITED_TYPES[objectId.slice(0, 3) as keyof typeof VISITED_TYPES]

/** The objects among these that the caller sees and may read. */
const findTitles = async (
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  sources: TitleSources,
  objectIds: readonly string[],
): Promise<Map<string, Titled>> => {
  const found = new Map<string, Titled>()
  for (const [type, ids] of Map.groupBy(objectIds, typeOf)) {
    if (type === 'engagement') {
      for (const id of ids) {
        const engagement = await findEngagement(db, actor.organizationId, id)
        if (engagement) found.set(id, { title: engagement.name, engagementId: id })
      }
      continue
    }
    const source = sources.get(type)
    if (source && actor.scopes.has(source.scope))
      for (const [id, titled] of await source.find(db, actor.organizationId, ids)) found.set(id, titled)
  }
  return found
}

const listRecent = async (context: Context, sources: TitleSources): Promise<Home['recent']> => {
  const visits = await query.listVisits(context.db, context.actor.organizationId, context.actor.id)
  const titles = await findTitles(
    context,
    sources,
    visits.map(({ object_id }) => object_id),
  )
  return visits.flatMap(({ object_id: id, visited_at: visitedAt }) => {
    const titled = titles.get(id)
    return titled ? [{ type: typeOf(id), id, engagementId: titled.engagementId, title: titled.title, visitedAt }] : []
  })
}

/** @throws ApiError VALIDATION_ERROR for an object that is not there or hidden */
export const recordVisit = (
  { change, clock }: Writer,
  actor: Actor,
  sources: TitleSources,
  objectId: string,
): Promise<void> =>
  change(async (tx) => {
    const titled = (await findTitles({ db: tx, actor }, sources, [objectId])).get(objectId)
    if (!titled) throw invalid('objectId: there is no such object')
    const visit = {
      organization_id: actor.organizationId,
      user_id: actor.id,
      object_id: objectId,
      engagement_id: titled.engagementId,
      visited_at: isoTime(clock.now()),
    }
    await query.upsertVisit(tx, visit, MAX_VISITS)
  })
