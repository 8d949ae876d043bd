import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Config } from '../../../platform/config.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import { plainChange } from '../../../platform/database/change.ts'
import { withEveryRow } from '../../../platform/database/every-row.ts'
import { EVERY_ROW } from '../../../platform/database/scope/tenant-scope.ts'
import { type Transaction, withDeletedEngagements } from '../../../platform/database/transaction.ts'
import { badRequest, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { isId } from '../../../platform/ids.ts'
import type { JobType } from '../../../platform/jobs/jobs.ts'
import { startBackgroundJob } from '../../../platform/jobs/start.ts'
import { type AuditedBy, recordAudit } from '../../audit/audit.service.ts'
import type { EngagementRow } from '../engagements.queries.ts'
import { requireItsName } from './deletion.service.ts'
import { requireNotHeld } from './holds.service.ts'
import { deleteTrash, listTrash, listTrashedBefore, lockTrash, setHidden } from './removal.queries.ts'
import { removeEngagement } from './removal.service.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const AT_ONCE = 100
const SEPARATOR = '~'

type Lifetime = Pick<Config, 'ENGAGEMENT_TRASH_DAYS'>

/** When an engagement that was deleted at this time is deleted for good. */
const purgeTime = (deletedAt: string, { ENGAGEMENT_TRASH_DAYS: days }: Lifetime): string =>
  isoTime(Date.parse(deletedAt) + days * DAY_MS)

/**
 * The trash of the organization, the newest deletion first, `limit` engagements at most.
 *
 * @param cursor `trashCursor` of the last row of the previous page
 * @throws ApiError BAD_REQUEST for a cursor of another list
 */
export const readTrash = async (
  { scopedTo, config }: Pick<Platform, 'scopedTo'> & { config: Lifetime },
  { organizationId }: Actor,
  cursor: string | undefined,
  limit: number,
) => {
  const after = cursor === undefined ? undefined : positionOf(cursor)
  const rows = await listTrash(scopedTo(organizationId, EVERY_ROW), organizationId, after, limit)
  return rows.map((row) => ({ ...row, purge_at: purgeTime(row.deleted_at, config) }))
}

export const trashCursor = ({ deleted_at: deletedAt, id }: { deleted_at: string; id: string }): string =>
  `${deletedAt}${SEPARATOR}${id}`

const positionOf = (cursor: string): { deletedAt: string; id: string } => {
  const [deletedAt = '', id = ''] = cursor.split(SEPARATOR)
  const at = new Date(deletedAt)
  if (Number.isNaN(at.getTime()) || at.toISOString() !== deletedAt || !isId('eng', id))
    throw badRequest('cursor: must be a cursor of this list')
  return { deletedAt, id }
}

/**
 * Brings an engagement back from the trash as it was. Nothing that was stopped starts again.
 *
 * @throws ApiError NOT_FOUND for one that is not in the trash
 */
export const restoreEngagement = (
  { change, clock }: Pick<Writer, 'change' | 'clock'>,
  actor: Actor,
  engagementId: string,
): Promise<EngagementRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const engagement = await withDeletedEngagements(tx, async () => {
      const trashed = await lockTrash(tx, organizationId, engagementId)
      if (!trashed) throw notFound()
      await deleteTrash(tx, organizationId, engagementId)
      await setHidden(tx, organizationId, engagementId, null)
      return trashed
    })
    const { name, status, deleted_at: deletedAt } = engagement
    await recordAudit(tx, actor, clock, {
      action: 'engagement.restored',
      object: { type: 'engagement', id: engagementId },
      after: { name, status, deletedAt },
    })
    await announce(tx, { type: 'engagement', engagementId, ids: [engagementId], change: 'created' })
    return engagement
  })

/**
 * Deletes an engagement in the trash for good: a job removes its rows and files.
 *
 * @param name the engagement's name, as confirmation
 * @throws ApiError NOT_FOUND for one that is not in the trash, VALIDATION_ERROR for another name, CONFLICT for one on
 *   legal hold
 */
export const purgeEngagement = (
  writer: Pick<Writer, 'change' | 'clock' | 'jobs'>,
  actor: Actor,
  engagementId: string,
  name: string,
): Promise<void> =>
  writer.change((tx) =>
    withDeletedEngagements(tx, async () => {
      const trashed = await lockTrash(tx, actor.organizationId, engagementId)
      if (!trashed) throw notFound()
      requireItsName(trashed, name)
      await requireNotHeld(tx, actor.organizationId, engagementId)
      await purge(writer, tx, actor, actor.organizationId, trashed)
    }),
  )

const purge = async (
  { clock, jobs }: Pick<Platform, 'clock' | 'jobs'>,
  tx: Transaction,
  by: AuditedBy,
  organizationId: string,
  { id, name, deleted_at: deletedAt }: NonNullable<Awaited<ReturnType<typeof lockTrash>>>,
): Promise<void> => {
  await deleteTrash(tx, organizationId, id)
  await recordAudit(tx, by, clock, {
    action: 'engagement.purged',
    object: { type: 'engagement', id },
    before: { name, deletedAt },
  })
  const wanted = { actor: { organizationId }, engagementId: null, subjectId: id }
  await startBackgroundJob(tx, { clock, jobs }, removeEngagement, wanted)
}

/**
 * Every hour, but not in safe mode: a restored backup may be older than the trash lasts, and may have been restored to
 * get an engagement out of it.
 */
export const purgeOldTrashJob: JobType<Record<string, never>> = {
  name: 'purge-engagements',
  options: { retryLimit: 2, expireInSeconds: 15 * 60 },
}

/** Purges what has been in the trash for longer than ENGAGEMENT_TRASH_DAYS; nothing on legal hold. */
export const purgeOldTrash = async (platform: Platform): Promise<void> => {
  const { clock, config, db, scopedTo } = withEveryRow(platform)
  const before = isoTime(clock.now() - config.ENGAGEMENT_TRASH_DAYS * DAY_MS)
  for (let found = AT_ONCE; found === AT_ONCE;) {
    const old = await listTrashedBefore(db, before, AT_ONCE)
    for (const { organization_id: organizationId, engagement_id: engagementId } of old) {
      await plainChange(scopedTo(organizationId))(async (tx) => {
        // It may have been restored and deleted again since it was listed.
        const trashed = await lockTrash(tx, organizationId, engagementId)
        if (!trashed || trashed.deleted_at >= before) return
        await requireNotHeld(tx, organizationId, engagementId)
        await purge(platform, tx, { system: 'trash of engagements', organizationId }, organizationId, trashed)
      })
    }
    found = old.length
  }
}
