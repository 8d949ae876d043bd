import type { Insertable } from 'kysely'
import type { Database } from '../../platform/database/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { AuditEntries } from '../../platform/database/types.gen.ts'

export const insertAuditEntry = async (tx: Transaction, entry: Insertable<AuditEntries>): Promise<void> => {
  await tx.insertInto('audit_entries').values(entry).execute()
}

export interface AuditFilter {
  action: string | undefined
  actorId: string | undefined
  objectId: string | undefined
  /** Inclusive. */
  from: string | undefined
  /** Exclusive. */
  to: string | undefined
  /** Id of the last entry already seen. */
  before: string | undefined
}

/** The newest entries that match, `limit` at most. */
export const listAuditEntries = (db: Database, organizationId: string, filter: AuditFilter, limit: number) => {
  let query = db.selectFrom('audit_entries').selectAll().where('organization_id', '=', organizationId)
  if (filter.action) query = query.where('action', '=', filter.action)
  if (filter.actorId) query = query.where('actor_id', '=', filter.actorId)
  if (filter.objectId) query = query.where('object_id', '=', filter.objectId)
  if (filter.from) query = query.where('created_at', '>=', filter.from)
  if (filter.to) query = query.where('created_at', '<', filter.to)
  if (filter.before) query = query.where('id', '<', filter.before)
  return query.orderBy('id', 'desc').limit(limit).execute()
}
