import * as contract from '@sortie/contract/requests/api-requests.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { ApiRequests } from '../../../platform/database/types.gen.ts'
import { anyOf, anyOfOrNone, contains, isNull } from '../../../platform/lists/filters.ts'
import { byId, listQuery } from '../../../platform/lists/list.ts'

interface LastRun {
  id: string
  state: string
  status: number | null
  createdAt: string
}

/** A run whose process died counts as failed; a running one is not shown. */
const LAST_RUN = sql<LastRun | null>`(
  select jsonb_build_object(
    'id', r.id, 'status', r.status, 'state', case r.state when 'running' then 'failed' else r.state end,
    'createdAt', to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from request_runs r
  where r.organization_id = a.organization_id and r.request_id = a.id and (r.state <> 'running' or r.alive_until < now())
  order by r.id desc limit 1)`

const SUMMARY = [
  'a.id',
  'a.engagement_id',
  'a.folder_id',
  'a.name',
  'a.method',
  'a.url',
  'a.position',
  'a.created_by',
  'a.created_at',
  'a.updated_at',
] as const

const selectSummaries = (db: Database, organizationId: string) =>
  db
    .selectFrom('api_requests as a')
    .leftJoin('users as u', 'u.id', 'a.created_by')
    .select([...SUMMARY, 'u.name as created_by_name', LAST_RUN.as('last_run')])
    .where('a.organization_id', '=', organizationId)

export const requestList = listQuery(contract.requestList, {
  rows: selectSummaries,
  id: 'a.id',
  engagementId: 'a.engagement_id',
  sorts: { createdAt: byId, updatedAt: 'a.updated_at', name: 'a.name', position: 'a.position' },
  filters: {
    organization: isNull('a.engagement_id'),
    folderId: anyOfOrNone('a.folder_id'),
    method: anyOf('a.method'),
    q: contains('a.name', 'a.url', 'a.description'),
  },
})

export type RequestSummaryRow = Awaited<ReturnType<ReturnType<typeof selectSummaries>['execute']>>[number]

export const findRequest = (db: Database, organizationId: string, id: string) =>
  selectSummaries(db, organizationId)
    .select(['a.description', 'a.definition', 'a.auth_secret'])
    .where('a.id', '=', id)
    .executeTakeFirst()

export type RequestRow = NonNullable<Awaited<ReturnType<typeof findRequest>>>

/** Lists the names and engagements of these requests. */
export const listRequestTitles = (db: Database, organizationId: string, ids: readonly string[]) =>
  db
    .selectFrom('api_requests')
    .select(['id', 'name', 'engagement_id'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`id = any(${ids})`)
    .execute()

/** Locks a request against other changes until the transaction ends. */
export const lockRequest = (tx: Transaction, organizationId: string, id: string) =>
  tx
    .selectFrom('api_requests')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const insertRequests = async (tx: Transaction, requests: readonly Insertable<ApiRequests>[]): Promise<void> => {
  if (requests.length > 0) await tx.insertInto('api_requests').values(requests).execute()
}

export const updateRequest = async (
  tx: Transaction,
  organizationId: string,
  id: string,
  change: Updateable<ApiRequests>,
): Promise<void> => {
  await tx
    .updateTable('api_requests')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** Lists requests of these folders in the order of a sequence: by the given order of folders, then by position. */
export const listInFolders = (db: Database, organizationId: string, folderIds: readonly string[], limit: number) =>
  selectSummaries(db, organizationId)
    .clearSelect()
    .select(['a.id', 'a.folder_id'])
    .where(sql<boolean>`a.folder_id = any(${folderIds})`)
    .orderBy(sql`array_position(${folderIds}::text[], a.folder_id)`)
    .orderBy('a.position')
    .orderBy('a.id')
    .limit(limit)
    .execute()

/** Lists all requests of an engagement, or of the organization, by position. */
export const listAllSummaries = (db: Database, organizationId: string, engagementId: string | null, limit: number) =>
  selectSummaries(db, organizationId)
    .where('a.engagement_id', engagementId === null ? 'is' : '=', engagementId)
    .orderBy('a.position')
    .orderBy('a.id')
    .limit(limit)
    .execute()

/** Lists the requests of an import, by position. */
export const listSummariesById = async (
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<RequestSummaryRow[]> =>
  selectSummaries(db, organizationId)
    .where(sql<boolean>`a.id = any(${ids})`)
    .orderBy('a.position')
    .execute()
