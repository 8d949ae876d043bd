import type { Insertable, Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import { countRows } from '../../platform/database/rows.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { DeviceAuthorizations } from '../../platform/database/types.gen.ts'

export const insertAuthorization = async (tx: Transaction, row: Insertable<DeviceAuthorizations>): Promise<void> => {
  await tx.insertInto('device_authorizations').values(row).execute()
}

/** Codes that still work. */
export const countLiving = (tx: Transaction, now: string): Promise<number> =>
  countRows(tx.selectFrom('device_authorizations').where('expires_at', '>', now))

export const findByUserCode = (db: Database, userCodeHashes: readonly Buffer[], now: string) =>
  db
    .selectFrom('device_authorizations')
    .selectAll()
    .where('user_code_hash', 'in', userCodeHashes)
    .where('expires_at', '>', now)
    .executeTakeFirst()

export const lockByUserCode = (tx: Transaction, userCodeHashes: readonly Buffer[], now: string) =>
  tx
    .selectFrom('device_authorizations')
    .selectAll()
    .where('user_code_hash', 'in', userCodeHashes)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()

export const findByDeviceCode = (tx: Transaction, deviceCodeHash: Buffer) =>
  tx
    .selectFrom('device_authorizations')
    .select(['organization_id', 'approved_by'])
    .where('device_code_hash', '=', deviceCodeHash)
    .executeTakeFirst()

export const lockByDeviceCode = (tx: Transaction, deviceCodeHash: Buffer) =>
  tx
    .selectFrom('device_authorizations')
    .selectAll()
    .where('device_code_hash', '=', deviceCodeHash)
    .forUpdate()
    .executeTakeFirst()

export const updateAuthorization = async (
  tx: Transaction,
  id: string,
  change: Updateable<DeviceAuthorizations>,
): Promise<void> => {
  await tx.updateTable('device_authorizations').set(change).where('id', '=', id).execute()
}

/** The approval of a client that opened a browser, by this person. */
export const findOwnAuthorization = (db: Database, organizationId: string, userId: string, id: string, now: string) =>
  db
    .selectFrom('device_authorizations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('approved_by', '=', userId)
    .where('id', '=', id)
    .where('client_id', 'is not', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()

const selectWaiting = (db: Database, organizationId: string, now: string) =>
  db
    .selectFrom('device_authorizations as d')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.organization_id', '=', 'd.organization_id').onRef('m.user_id', '=', 'd.approved_by'),
    )
    .where('d.organization_id', '=', organizationId)
    .where('d.state', '=', 'approved')
    .where('d.confirmed_by', 'is', null)
    .where('m.role', '=', 'member')
    .where('d.expires_at', '>', now)

/** Approvals by members that no one has confirmed, oldest first. */
export const listWaiting = (db: Database, organizationId: string, now: string) =>
  selectWaiting(db, organizationId, now)
    .selectAll('d')
    .select(['m.user_id as approver_id', 'm.name as approver_name'])
    .orderBy('d.id')
    .execute()

/** @returns undefined unless it waits */
export const lockWaiting = (tx: Transaction, organizationId: string, id: string, now: string) =>
  selectWaiting(tx, organizationId, now)
    .select(['d.key_name', 'd.scopes', 'd.approved_by', 'd.client_id'])
    .where('d.id', '=', id)
    .forUpdate('d')
    .executeTakeFirst()

/** Those among these engagements that the database shows. */
export const listVisible = async (db: Database, organizationId: string, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('engagements')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id }) => id)
}

export const deleteEndedAuthorizations = async (db: Database, before: string): Promise<void> => {
  await db.deleteFrom('device_authorizations').where('expires_at', '<=', before).execute()
}
