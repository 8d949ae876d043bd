import type { Role } from '@sortie/contract/core/scopes.ts'
import type { Insertable } from 'kysely'
import type { KeyKind } from '../../platform/auth/actor.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import type { PreparedReader, Statement } from '../../platform/database/connection/prepared.ts'
import { countRows } from '../../platform/database/rows.ts'
import { RIGHTS, acquireFairLocks, withSharedFairLocks } from '../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { ApiKeys } from '../../platform/database/types.gen.ts'

/** The engagements that a key can access: every one, those that the whole organization sees, or a list. */
export type EngagementAccess = 'all' | 'open' | 'listed'

export interface KeyRow {
  id: string
  organization_id: string
  name: string
  environment: 'live' | 'test'
  scopes: string[]
  engagement_access: EngagementAccess
  expires_at: string | null
  kind: KeyKind
  /** The person within whose rights the key acts; null for the kind `key`. */
  owner_id: string | null
  agent_id: string | null
  stopped_at: string | null
  /** Null if the person has left the organization, or the account is disabled. */
  owner_role: Role | null
  secret_hash: Buffer
}

/** A named statement: every request with a key runs it. */
const FIND_KEYS: Statement<KeyRow> = {
  name: 'find_keys',
  text: `select k.id, k.organization_id, k.name, k.environment, k.scopes, k.engagement_access, k.expires_at, k.secret_hash,
      k.kind, k.owner_id, k.agent_id, k.stopped_at, m.role as owner_role
    from api_keys k left join memberships m on m.organization_id = k.organization_id and m.user_id = k.owner_id
      and not exists (select from users u where u.id = m.user_id and u.disabled_at is not null)
    where k.secret_hash = any($1::bytea[])`,
}

/** The keys among these hashes that currently exist. */
export const findKeys = (prepared: PreparedReader, hashes: readonly Buffer[]): Promise<KeyRow[]> =>
  prepared.query(FIND_KEYS, [hashes])

/**
 * Reads a key and prevents its deletion until the transaction ends. Any number of transactions can hold this lock at
 * the same time.
 */
export const lockApiKeyForShare = (tx: Transaction, organizationId: string, keyId: string) =>
  withSharedFairLocks(tx, RIGHTS.key(organizationId, keyId))
    .selectFrom(['fair_locks', 'api_keys as k'])
    .select(['k.id', 'k.organization_id', 'k.name', 'k.environment', 'k.scopes', 'k.engagement_access', 'k.expires_at'])
    .select(['k.kind', 'k.owner_id', 'k.agent_id', 'k.stopped_at'])
    .where('k.organization_id', '=', organizationId)
    .where('k.id', '=', keyId)
    .forKeyShare('k')
    .executeTakeFirst()

/** The person within whose rights a key acts, which never changes; null for a key of the organization. */
export const findKeyOwner = async (tx: Transaction, organizationId: string, keyId: string): Promise<string | null> => {
  const row = await tx
    .selectFrom('api_keys')
    .select('owner_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .executeTakeFirst()
  return row?.owner_id ?? null
}

export const insertApiKey = (tx: Transaction, key: Insertable<ApiKeys>) =>
  tx.insertInto('api_keys').values(key).returningAll().executeTakeFirstOrThrow()

/** Filters these ids to existing engagements, which cannot be deleted until the transaction ends. */
export const lockEngagementsForShare = async (
  tx: Transaction,
  organizationId: string,
  engagementIds: readonly string[],
): Promise<Set<string>> => {
  const rows = await tx
    .selectFrom('engagements')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', engagementIds)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** @throws the database's error if one of them is not an engagement of the organization */
export const insertKeyEngagements = async (
  tx: Transaction,
  organizationId: string,
  keyId: string,
  engagementIds: readonly string[],
): Promise<void> => {
  await tx
    .insertInto('api_key_engagements')
    .values(engagementIds.map((id) => ({ organization_id: organizationId, api_key_id: keyId, engagement_id: id })))
    .execute()
}

/** Removes the engagement from all keys that are limited to it. */
export const deleteKeyEngagement = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
): Promise<void> => {
  await tx
    .deleteFrom('api_key_engagements')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .execute()
}

const selectApiKeys = (db: Database, organizationId: string) =>
  db
    .selectFrom('api_keys as k')
    .select(['k.id', 'k.name', 'k.environment', 'k.scopes', 'k.created_at', 'k.last_used_at', 'k.engagement_access'])
    .select(['k.kind', 'k.expires_at'])
    .select(({ selectFrom }) =>
      selectFrom('api_key_engagements as e')
        .whereRef('e.organization_id', '=', 'k.organization_id')
        .whereRef('e.api_key_id', '=', 'k.id')
        .select(({ fn }) => fn<string[]>('array_agg', ['e.engagement_id']).as('ids'))
        .as('engagement_ids'),
    )
    .where('k.organization_id', '=', organizationId)

/** Newest first, each with its creator and a flag that shows if the creator could create it today. */
export const listApiKeys = (db: Database, organizationId: string) =>
  selectApiKeys(db, organizationId)
    .innerJoin('users as u', 'u.id', 'k.created_by')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.user_id', '=', 'k.created_by').onRef('m.organization_id', '=', 'k.organization_id'),
    )
    .select(['u.name as created_by_name', 'm.role as creator_role'])
    .orderBy('k.id', 'desc')
    .execute()

export const findApiKey = (db: Database, organizationId: string, keyId: string) =>
  selectApiKeys(db, organizationId).where('k.id', '=', keyId).executeTakeFirst()

export const countApiKeys = (tx: Transaction, organizationId: string): Promise<number> =>
  countRows(tx.selectFrom('api_keys').where('organization_id', '=', organizationId))

/** Waits for the changes that the key is making. */
export const lockApiKeyForRevocation = (tx: Transaction, organizationId: string, keyId: string): Promise<void> =>
  acquireFairLocks(tx, { exclusive: [RIGHTS.key(organizationId, keyId)] })

/** Waits for the changes that the key is making. @returns undefined if it does not exist */
export const deleteApiKey = async (tx: Transaction, organizationId: string, keyId: string) => {
  await lockApiKeyForRevocation(tx, organizationId, keyId)
  return tx
    .deleteFrom('api_keys')
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .returning(['id', 'name', 'environment', 'scopes'])
    .executeTakeFirst()
}

/** @returns the organization of each */
export const deleteEveryApiKey = async (tx: Transaction): Promise<string[]> => {
  const rows = await tx.deleteFrom('api_keys').returning('organization_id').execute()
  return rows.map((row) => row.organization_id)
}

/** Waits for the changes that these keys are making, and locks their rows so that those that come later see this one. */
export const lockKeysForRevocation = async (
  tx: Transaction,
  organizationId: string,
  keyIds: readonly string[],
): Promise<void> => {
  if (keyIds.length === 0) return
  await acquireFairLocks(tx, { exclusive: keyIds.map((id) => RIGHTS.key(organizationId, id)) })
  await tx
    .selectFrom('api_keys')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', keyIds)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Refuses these keys from a moment on, or accepts them again (null). */
export const setKeysStopped = async (
  tx: Transaction,
  organizationId: string,
  keyIds: readonly string[],
  at: string | null,
): Promise<void> => {
  if (keyIds.length === 0) return
  await tx
    .updateTable('api_keys')
    .set({ stopped_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', 'in', keyIds)
    .execute()
}

export const renameKey = async (
  tx: Transaction,
  organizationId: string,
  keyId: string,
  name: string,
): Promise<void> => {
  await tx
    .updateTable('api_keys')
    .set({ name })
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .execute()
}
