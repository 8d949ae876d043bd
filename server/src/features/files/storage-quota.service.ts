import type { Actor } from '../../platform/auth/actor.ts'
import type { Platform, Writer } from '../../platform/context.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict } from '../../platform/errors.ts'
import { changeOrganization } from '../organizations/organization-change.service.ts'
import * as query from './storage/stored-bytes.queries.ts'

/** The organization's storage quota is exceeded. */
export const quotaExceeded = (quota: number) =>
  conflict(`This organization may store ${quota} bytes, including its files: delete some first.`)

/** While the quota has capacity for this many of the largest files, concurrent uploads need not wait for each other. */
const FILES_WITH_ROOM = 10

/** @throws ApiError CONFLICT if these bytes exceed the organization's quota (finding T17). Hidden engagements count. */
export const requireStorage = async (
  tx: Transaction,
  { config }: Pick<Platform, 'config'>,
  organizationId: string,
  bytes: number,
): Promise<void> => {
  const quota = config.STORAGE_LIMIT_BYTES_PER_ORGANIZATION
  if ((await query.sumStoredBytes(tx, organizationId)) + bytes > quota) throw quotaExceeded(quota)
}

/** Bytes that the organization may still store, hidden engagements included. */
export const remainingQuota = async (
  { config, scopedTo }: Pick<Platform, 'config' | 'scopedTo'>,
  organizationId: string,
): Promise<number> =>
  config.STORAGE_LIMIT_BYTES_PER_ORGANIZATION - (await query.sumStoredBytes(scopedTo(organizationId), organizationId))

/**
 * Opens the transaction of a change that records files: close to the quota such changes wait for each other, so that
 * they stay below it.
 */
export const changeWithFiles = async <T>(
  writer: Writer,
  actor: Actor,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => {
  const { config, change } = writer
  const isClose = (await remainingQuota(writer, actor.organizationId)) < FILES_WITH_ROOM * config.UPLOAD_LIMIT_BYTES
  return isClose ? changeOrganization(change, actor, work) : change(work)
}

/** Every hour. */
export const joinStoredBytes = ({ db }: { db: Database }): Promise<void> => query.joinStoredBytes(db)
