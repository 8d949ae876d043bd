import { isoTime } from '../../../platform/clock.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import { withEveryRow } from '../../../platform/database/every-row.ts'
import {
  countOrganizationRows,
  deleteOrganizationRows,
  listOrganizationTables,
} from '../../../platform/database/organization-rows.ts'
import {
  readWithTrash,
  showTrash,
  transaction,
  type Transaction,
  withoutTimeout,
} from '../../../platform/database/transaction.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import { removeDeletedBytes } from '../../../platform/files/deleted-bytes.ts'
import type { JobType } from '../../../platform/jobs/jobs.ts'
import { notifyRemovedOrganization } from '../../account-emails/account-emails.service.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { deleteAuthorsOf } from '../../auth/accounts/accounts.service.ts'
import { findCustomer } from '../../billing/billing.queries.ts'
import { requireNoHolds } from '../../engagements/removal/holds.service.ts'
import { changeOrganization } from '../../organizations/organization-change.service.ts'
import { deleteRemovedOrganization, markRemoved } from '../../organizations/organizations.service.ts'
import * as query from './administration.queries.ts'
import type { Administrator } from './administrator.ts'

/** Small enough that a batch, with its indexes, ends well within the statement timeout. */
const ROWS_AT_ONCE = 1_000
/** Fewer, since the end of a membership deletes rows of other tables. */
const ACCESS_AT_ONCE = 200
const FILES_AT_ONCE = 500
/** What gives access. They go at once, with their organization's name; everything else follows in batches. */
const ACCESS = [
  'memberships',
  'api_keys',
  'invitations',
  'device_authorizations',
  'organization_domains',
  'directory_organizations',
] as const

/** Ends the removals that have begun. */
export const removeOrganizationsJob: JobType<object> = {
  name: 'remove-organizations',
  options: {
    retryLimit: 1_000_000,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    heartbeatSeconds: 20,
    expireInSeconds: 24 * 60 * 60,
  },
  perProcess: 1,
}

/**
 * Begins the removal of an organization: when this returns, no one has access to it any more, with a session or with a
 * key. Its rows and files are removed by `finishRemoval`, in a job or by the caller.
 *
 * @param slug of the organization, as confirmation against a removal by mistake
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR for another slug, CONFLICT while an engagement is on legal hold or a
 *   payment provider's customer is linked
 */
export const beginRemoval = (
  { change, clock, jobs }: Writer,
  by: Administrator,
  organizationId: string,
  slug: string,
  finish: 'by job' | 'by caller',
): Promise<{ name: string }> =>
  changeOrganization(
    change,
    { ...by, organizationId },
    async (tx, { name, slug: known }) => {
      if (slug !== known) throw invalid('slug: is not the one of this organization')
      await requireNoHolds(tx, organizationId)
      if (await findCustomer(tx, organizationId))
        throw conflict(
          `A customer of the payment provider pays for the organization. End the subscription there, then run: npm run operator -- unlink-billing-customer ${known}`,
        )
      await notifyRemovedOrganization(tx, jobs, clock, organizationId)
      await markRemoved(tx, organizationId, isoTime(clock.now()))
      for (const table of ACCESS)
        await empty(ACCESS_AT_ONCE, (limit) => deleteOrganizationRows(tx, table, organizationId, limit))
      await recordAudit(tx, by, clock, {
        action: 'organization.removal-started',
        object: { type: 'organization', id: organizationId },
        before: { name, slug },
      })
      if (finish === 'by job') await jobs.enqueue(tx, removeOrganizationsJob, {})
      return { name }
    },
    { ofRules: true },
  )

/** Calls `deleteSome` until less than a batch was left. @returns the sum */
const empty = async (limit: number, deleteSome: (limit: number) => Promise<number>): Promise<number> => {
  let sum = 0
  for (let deleted = limit; deleted === limit; sum += deleted) deleted = await deleteSome(limit)
  return sum
}

type Remover = Pick<Platform, 'db' | 'scopedTo' | 'storage' | 'safeMode' | 'log' | 'clock'>

/** What the removal of an organization deleted, and what is left for later. */
export interface Removed {
  rows: number
  files: number
  /** Files that are not removed yet, because the instance is in safe mode or the storage cannot be written. */
  filesLeft: number
}

/**
 * Removes the rows and the files of an organization whose removal has begun, and then the organization itself. Resumes
 * what an earlier call left.
 *
 * @throws the reason of `signal`, between two batches
 */
export const finishRemoval = async (
  remover: Remover,
  organizationId: string,
  signal: AbortSignal,
): Promise<Removed> => {
  const { scopedTo, clock, db: everywhere } = withEveryRow(remover)
  const db = scopedTo(organizationId)
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    return transaction(db, async (tx) => {
      await showTrash(tx)
      return work(tx)
    })
  }
  let rows = 0
  for (const table of inOrder(await listOrganizationTables(db))) {
    if (table === 'audit_entries') await inTransaction((tx) => deleteAuthorsOf(tx, organizationId))
    rows += await empty(ROWS_AT_ONCE, (limit) =>
      inTransaction((tx) => deleteOrganizationRows(tx, table, organizationId, limit)),
    )
  }
  const notedFiles = await query.countFilesWithBytes(everywhere, organizationId)
  await removeDeletedBytes(remover, signal, organizationId)
  const filesLeft = await query.countFilesWithBytes(everywhere, organizationId)
  const removed = { rows, files: notedFiles - filesLeft, filesLeft }
  await transaction(everywhere, async (tx) => {
    if (!(await deleteRemovedOrganization(tx, organizationId))) return
    await recordAudit(tx, { system: 'removal of organizations' }, clock, {
      action: 'organization.removed',
      object: { type: 'organization', id: organizationId },
      after: { ...removed },
    })
  })
  return removed
}

/**
 * The audit log and the sums of stored bytes come last: deletions of other rows write sums, and the log is needed to
 * resume.
 */
const inOrder = (tables: readonly string[]): string[] => {
  const last = ['audit_entries', 'stored_bytes']
  return [...tables.filter((name) => !last.includes(name)), ...last]
}

/** Finishes every removal that has begun. */
export const finishRemovals = async (remover: Remover, signal: AbortSignal): Promise<void> => {
  for (const id of await query.listRemovedOrganizations(remover.db)) {
    const removed = await finishRemoval(remover, id, signal)
    remover.log.info({ organization: id, ...removed }, 'an organization was removed')
  }
}

/** Rows of an organization by table, without empty tables, and its files in the storage. */
export interface OrganizationCount {
  rows: ReadonlyMap<string, number>
  storedFiles: number
}

/** Counts what an organization has, in every table and in the storage. Reads all rows: for the operator's command. */
export const countOrganization = async (
  platform: Pick<Platform, 'scopedTo' | 'storage'>,
  organizationId: string,
): Promise<OrganizationCount> => {
  const { scopedTo, storage } = withEveryRow(platform)
  const db = scopedTo(organizationId)
  const tables = await listOrganizationTables(db)
  const rows = await readWithTrash(db, async (tx) => {
    await withoutTimeout(tx)
    const counts = new Map<string, number>()
    for (const table of tables) {
      const count = await countOrganizationRows(tx, table, organizationId)
      if (count > 0) counts.set(table, count)
    }
    return counts
  })
  let storedFiles = 0
  for await (const some of storage.list(FILES_AT_ONCE))
    storedFiles += some.filter((file) => file.organizationId === organizationId).length
  return { rows, storedFiles }
}
