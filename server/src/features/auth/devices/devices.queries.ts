import type { Insertable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { countDeleted, hasRow } from '../../../platform/database/rows.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { KnownDevices } from '../../../platform/database/types.gen.ts'

/** Records that a device was used again. @returns undefined if the account does not know it */
export const touchDevice = (
  tx: Transaction,
  userId: string,
  deviceHash: Buffer,
  seen: { network: string; userAgent: string; now: string },
) =>
  tx
    .updateTable('known_devices')
    .set({ last_seen_at: seen.now, network: seen.network, user_agent: seen.userAgent })
    .where('user_id', '=', userId)
    .where('device_hash', '=', deviceHash)
    .returning('user_id')
    .executeTakeFirst()

/**
 * Finds a device with the same user agent and network, seen since `since`, and records its use. @returns undefined if
 * there is none
 */
export const touchAlike = (
  tx: Transaction,
  userId: string,
  seen: { network: string; userAgent: string; now: string; since: string },
) =>
  tx
    .updateTable('known_devices')
    .set({ last_seen_at: seen.now })
    .where('user_id', '=', userId)
    .where('network', '=', seen.network)
    .where('user_agent', '=', seen.userAgent)
    .where('last_seen_at', '>', seen.since)
    .returning('user_id')
    .executeTakeFirst()

export const hasDevices = (tx: Transaction, userId: string): Promise<boolean> =>
  hasRow(tx.selectFrom('known_devices').select('user_id').where('user_id', '=', userId).limit(1))

export const insertDevice = async (tx: Transaction, device: Insertable<KnownDevices>, keep: number): Promise<void> => {
  await tx.insertInto('known_devices').values(device).execute()
  await tx
    .deleteFrom('known_devices')
    .where('user_id', '=', device.user_id)
    .where('device_hash', 'not in', (select) =>
      select
        .selectFrom('known_devices')
        .select('device_hash')
        .where('user_id', '=', device.user_id)
        .orderBy('last_seen_at', 'desc')
        .orderBy('device_hash')
        .limit(keep),
    )
    .execute()
}

export const deleteStaleDevices = async (db: Database, before: string): Promise<void> => {
  await db.deleteFrom('known_devices').where('last_seen_at', '<', before).execute()
}

/** Reads all that the first step of signing in needs from an account: one query, whether or not the account exists. */
export const findSignIn = (db: Database, emailKey: string, deviceHash: Buffer) =>
  db
    .selectFrom('users as u')
    .leftJoin('known_devices as d', (join) => join.onRef('d.user_id', '=', 'u.id').on('d.device_hash', '=', deviceHash))
    .select(['u.id', 'u.password_hash', 'd.user_id as known_device'])
    .where('u.email_key', '=', emailKey)
    .executeTakeFirst()

/** @returns how many were forgotten */
export const deleteEveryDevice = (tx: Transaction): Promise<number> => countDeleted(tx.deleteFrom('known_devices'))
