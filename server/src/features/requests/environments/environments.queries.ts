import * as contract from '@sortie/contract/requests/request-environments.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { RequestEnvironments } from '../../../platform/database/types.gen.ts'
import { contains, isNull } from '../../../platform/lists/filters.ts'
import { byId, listQuery } from '../../../platform/lists/list.ts'

const COLUMNS = [
  'id',
  'engagement_id',
  'name',
  'variables',
  'secrets',
  'proxy',
  'hosts',
  'created_at',
  'updated_at',
] as const

export const environmentList = listQuery(contract.environmentList, {
  rows: (db, organizationId) =>
    db.selectFrom('request_environments').select(COLUMNS).where('organization_id', '=', organizationId),
  id: 'id',
  engagementId: 'engagement_id',
  sorts: { createdAt: byId, name: 'name' },
  filters: { organization: isNull('engagement_id'), q: contains('name') },
})

export const findEnvironment = (db: Database, organizationId: string, id: string) =>
  db
    .selectFrom('request_environments')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

export type EnvironmentRow = NonNullable<Awaited<ReturnType<typeof findEnvironment>>>

export const lockEnvironment = (tx: Transaction, organizationId: string, id: string) =>
  tx
    .selectFrom('request_environments')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const insertEnvironment = async (
  tx: Transaction,
  environment: Insertable<RequestEnvironments>,
): Promise<void> => {
  await tx.insertInto('request_environments').values(environment).execute()
}

export const updateEnvironment = async (
  tx: Transaction,
  organizationId: string,
  id: string,
  change: Updateable<RequestEnvironments>,
): Promise<void> => {
  await tx
    .updateTable('request_environments')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

export const deleteEnvironment = async (tx: Transaction, organizationId: string, id: string): Promise<void> => {
  await tx
    .deleteFrom('request_environments')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** Lists the environments of an import. */
export const listEnvironmentsById = async (
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<EnvironmentRow[]> => {
  const wanted = sql<boolean>`id = any(${ids})`
  return db
    .selectFrom('request_environments')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where(wanted)
    .orderBy('id')
    .execute()
}

/** Lists all environments of an engagement. */
export const listAllEnvironments = (
  db: Database,
  organizationId: string,
  engagementId: string,
  limit: number,
): Promise<EnvironmentRow[]> =>
  db
    .selectFrom('request_environments')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .orderBy('id')
    .limit(limit)
    .execute()
