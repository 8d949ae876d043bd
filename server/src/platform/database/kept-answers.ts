import type { Insertable } from 'kysely'
import { takeFairLocks } from './fair-locks.ts'
import type { Database } from './open.ts'
import type { Transaction } from './transaction.ts'
import type { IdempotencyKeys } from './types.gen.ts'

/** What names a kept answer: a key of a client's choice means something only beside the API key that it came with (catalogue A10). */
export interface AnswerName {
  organizationId: string
  apiKeyId: string
  key: string
}

/** @param since older ones count as gone */
export const findAnswer = (db: Database, { organizationId, apiKeyId, key }: AnswerName, since: string) =>
  db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'answer'])
    .where('organization_id', '=', organizationId)
    .where('api_key_id', '=', apiKeyId)
    .where('key', '=', key)
    .where('created_at', '>', since)
    .executeTakeFirst()

/** Until the transaction ends, whoever else asks for this name waits. */
export const lockAnswer = (tx: Transaction, { organizationId, apiKeyId, key }: AnswerName): Promise<void> =>
  takeFairLocks(tx, { alone: [`idempotency ${organizationId} ${apiKeyId} ${key}`] })

/** Only while the name is locked and `findAnswer` finds none: one that is old is replaced. */
export const insertAnswer = async (tx: Transaction, row: Insertable<IdempotencyKeys>): Promise<void> => {
  const { request_hash, status, answer, created_at } = row
  await tx
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'api_key_id', 'key']).doUpdateSet({ request_hash, status, answer, created_at }))
    .execute()
}

/** @returns how many were removed, at most `limit` */
export const deleteAnswersBefore = async (db: Database, before: string, limit: number): Promise<number> => {
  const columns = ['organization_id', 'api_key_id', 'key'] as const
  const result = await db
    .deleteFrom('idempotency_keys')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple(...columns),
        'in',
        selectFrom('idempotency_keys')
          .select(columns)
          .where('created_at', '<=', before)
          .orderBy('created_at')
          .limit(limit)
          .$asTuple(...columns),
      ),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
