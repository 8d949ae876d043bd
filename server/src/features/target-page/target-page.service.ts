import type { TargetOverview } from '@sortie/contract/inventory/target-overview.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Keys } from '../../platform/crypto.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import type { TitleSources } from '../../platform/text/titles.ts'
import { listActivityOf } from '../audit/audit.queries.ts'
import { showActivity } from '../audit/show-activity.ts'
import { requireFound } from '../engagements/locks.service.ts'
import { findingList } from '../findings/findings.queries.ts'
import { toFindingSummary } from '../findings/show-findings.ts'
import { operationList } from '../operation-log/operation-log.queries.ts'
import { toOperation } from '../operation-log/operation-rows.ts'
import { requestList } from '../requests/saved/requests.queries.ts'
import { toRequestSummary } from '../requests/saved/show-requests.ts'
import { toResult } from '../results/list/result-rows.ts'
import { resultList } from '../results/results.queries.ts'
import { targetList } from '../targets/lists/target-lists.queries.ts'
import { toTarget } from '../targets/target-rows.ts'
import { findTarget } from '../targets/targets.queries.ts'
import { showTasks } from '../tasks/lists/show-tasks.ts'
import { taskList } from '../tasks/tasks.queries.ts'

interface Context {
  db: Database
  actor: Actor
  keys: Pick<Keys, 'cursor'>
}

type Overview = Static<typeof TargetOverview>

/** A target with the first entries of each part; null without the scope to read one. @throws ApiError NOT_FOUND */
export const getTargetOverview = async (
  context: Context,
  sources: TitleSources,
  targetId: string,
  perPage: number,
): Promise<Overview> => {
  const { db, actor } = context
  const target = await requireFound(findTarget(db, actor.organizationId, targetId))
  const { engagement_id: engagementId } = target
  const found = async (filters: Record<string, unknown>) => {
    const { rows, meta } = await resultList.page(context, { engagementId, targetId: [targetId], perPage, ...filters })
    return { items: rows.map(toResult), total: meta.total }
  }
  const present = (kind: readonly string[]) => found({ kind, state: ['present'], sort: 'asset', order: 'asc' })
  const children = await targetList.page(context, {
    engagementId,
    parentId: [targetId],
    sort: 'canonical',
    order: 'asc',
    perPage,
  })
  const host = hostOf(target)
  return {
    target: toTarget(target),
    children: { items: children.rows.map(toTarget), total: children.meta.total },
    services: await present(['service']),
    certificates: await present(['tls_certificate']),
    technologies: await present(['technology']),
    vulnerabilities: await found({
      kind: ['vulnerability'],
      status: ['open', 'confirmed'],
      sort: 'severity',
      order: 'desc',
    }),
    findings: actor.scopes.has('reports:read')
      ? await listFindings(context, { engagementId, targetId: [targetId], perPage })
      : null,
    others: await present(['host', 'dns_record', 'http_response', 'web_path', 'component']),
    tasks: actor.scopes.has('tasks:read')
      ? await listTasks(context, sources, { engagementId, targetId: [targetId], perPage })
      : null,
    requests: actor.scopes.has('api-requests:read') ? await listRequests(context, engagementId, host, perPage) : null,
    operations: await listOperations(context, engagementId, host, perPage),
    history: await showActivity(db, actor, await listActivityOf(db, actor, targetId, perPage)),
  }
}

/** The name, address or network of a target; undefined for kinds that have none. */
const hostOf = ({ kind, canonical }: { kind: string; canonical: string }): string | undefined => {
  if (kind === 'domain' || kind === 'ip' || kind === 'cidr') return canonical
  if (kind === 'service') return withoutBrackets(canonical.slice(0, canonical.lastIndexOf(':')))
  return kind === 'url' ? withoutBrackets(new URL(canonical).hostname) : undefined
}

const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

const listFindings = async (
  context: Context,
  filters: Record<string, unknown> & { perPage: number },
): Promise<Overview['findings']> => {
  const { rows, meta } = await findingList.page(context, { ...filters, sort: 'severity', order: 'desc' })
  return { items: rows.map(toFindingSummary), total: meta.total }
}

const listTasks = async (
  context: Context,
  sources: TitleSources,
  filters: Record<string, unknown> & { perPage: number },
): Promise<Overview['tasks']> => {
  const { rows, meta } = await taskList.page(context, { ...filters, sort: 'updatedAt', order: 'desc' })
  return { items: await showTasks(context.db, sources, context.actor, rows), total: meta.total }
}

const listRequests = async (
  context: Context,
  engagementId: string,
  host: string | undefined,
  perPage: number,
): Promise<Overview['requests']> => {
  if (host === undefined) return { items: [], total: 0 }
  const { rows, meta } = await requestList.page(context, { engagementId, q: host, sort: 'name', order: 'asc', perPage })
  return { items: rows.map(toRequestSummary), total: meta.total }
}

const listOperations = async (
  context: Context,
  engagementId: string,
  host: string | undefined,
  perPage: number,
): Promise<Overview['operations']> => {
  if (host === undefined) return { items: [], total: 0 }
  const { rows, meta } = await operationList.page(context, { engagementId, address: host, perPage })
  return { items: rows.map(toOperation), total: meta.total }
}
