import { type Insertable, sql } from 'kysely'
import type { Database } from './connection/open.ts'
import { acquireFairLocks } from './scope/fair-locks.ts'
import type { Transaction } from './transaction.ts'
import type { IdempotencyKeys } from './types.gen.ts'

/** Identifies a stored answer: a client's idempotency key is unique only together with its API key (catalogue A10). */
export interface AnswerName {
  organizationId: string
  apiKeyId: string
  key: string
}

/**
 * The engagement that a change is about, as `recordEngagement` stored it in the transaction. An answer is stored with
 * it, and is not repeated to a caller that no longer sees that engagement.
 */
const CONCERNED = sql<string | null>`nullif(current_setting('sortie.engagement', true), '')`

/** For the `returning` or `select` that reads an engagement for a change: records its id until the transaction ends. */
export const recordEngagement = sql<string>`set_config('sortie.engagement', id, true)`.as('concerned')

/**
 * @param db in the caller's view: `is_visible` is false if it hides the engagement
 * @param since older answers count as deleted
 */
export const findAnswer = (db: Database, { organizationId, apiKeyId, key }: AnswerName, since: string) =>
  db
    .selectFrom('idempotency_keys')
    .select(({ exists, or, ref, selectFrom }) => [
      'request_hash',
      'status',
      'answer',
      or([
        sql<boolean>`about_engagement_id is null`,
        exists(
          selectFrom('engagements')
            .select('engagements.id')
            .where('engagements.organization_id', '=', organizationId)
            .where('engagements.id', '=', ref('idempotency_keys.about_engagement_id')),
        ),
      ]).as('is_visible'),
    ])
    .where('organization_id', '=', organizationId)
    .where('api_key_id', '=', apiKeyId)
    .where('key', '=', key)
    .where('created_at', '>', since)
    .executeTakeFirst()

/** Makes all other requests with this name wait until the transaction ends. */
export const lockAnswer = (tx: Transaction, { organizationId, apiKeyId, key }: AnswerName): Promise<void> =>
  acquireFairLocks(tx, { exclusive: [`idempotency ${organizationId} ${apiKeyId} ${key}`] })

/** Call it only while the name is locked and `findAnswer` finds none. */
export const insertAnswer = async (tx: Database, row: Insertable<IdempotencyKeys>): Promise<void> => {
  const { request_hash, status, answer, created_at } = row
  const kept = { request_hash, status, answer, created_at, about_engagement_id: CONCERNED }
  await tx
    .insertInto('idempotency_keys')
    .values({ ...row, about_engagement_id: CONCERNED })
    .onConflict((conflict) => conflict.columns(['organization_id', 'api_key_id', 'key']).doUpdateSet(kept))
    .execute()
}

/**
 * Stores the answer of a request that had started. Stores nothing if the API key was deleted since then: no one can
 * repeat the request.
 */
export const completeAnswer = async (
  db: Database,
  name: AnswerName,
  answer: Pick<Insertable<IdempotencyKeys>, 'status' | 'answer' | 'created_at'>,
): Promise<void> => {
  await db
    .updateTable('idempotency_keys')
    .set(answer)
    .where('organization_id', '=', name.organizationId)
    .where('api_key_id', '=', name.apiKeyId)
    .where('key', '=', name.key)
    .execute()
}

/** @returns how many were deleted, at most `limit` */
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
