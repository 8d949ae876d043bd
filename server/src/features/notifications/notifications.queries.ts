import * as contract from '@sortie/contract/account/notifications.ts'
import { type Insertable, sql } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Notifications } from '../../platform/database/types.gen.ts'
import { condition, onlyWhere } from '../../platform/lists/filters.ts'
import { byId, listQuery } from '../../platform/lists/list.ts'

/** Characters of a comment. */
const EXCERPT = 200
/** `@[Ada](usr_...)`, of which people read `@Ada`. */
const MENTION = String.raw`@\[([^]]*)\]\(usr_[0-9a-z]+\)`

const selectNotices = (db: Database, organizationId: string) =>
  db
    .selectFrom('notifications as n')
    .leftJoin('tasks as t', (join) =>
      join.onRef('t.organization_id', '=', 'n.organization_id').onRef('t.id', '=', 'n.task_id'),
    )
    .leftJoin('results as r', (join) =>
      join.onRef('r.organization_id', '=', 'n.organization_id').onRef('r.id', '=', 'n.result_id'),
    )
    .leftJoin('findings as f', (join) =>
      join
        .onRef('f.organization_id', '=', 'n.organization_id')
        .onRef('f.id', '=', 'n.finding_id')
        .on('f.trashed_at', 'is', null),
    )
    .leftJoin('reports as p', (join) =>
      join.onRef('p.organization_id', '=', 'n.organization_id').onRef('p.id', '=', 'n.report_id'),
    )
    .leftJoin('comments as c', (join) =>
      join.onRef('c.organization_id', '=', 'n.organization_id').onRef('c.id', '=', 'n.comment_id'),
    )
    .innerJoin('engagements as e', (join) =>
      join.onRef('e.organization_id', '=', 'n.organization_id').onRef('e.id', '=', 'n.engagement_id'),
    )
    .select([
      'n.id',
      'n.kind',
      'n.engagement_id',
      'n.task_id',
      'n.result_id',
      'n.finding_id',
      'n.report_id',
      'n.comment_id',
      'n.tasks',
      'n.by_id',
      'n.by_name',
      'n.created_at',
      'n.read_at',
    ])
    .select(sql<string>`coalesce(t.title, r.title, f.title, p.title)`.as('title'))
    .select('e.name as engagement_name')
    .select(
      sql<string | null>`left(regexp_replace(left(c.body, ${10 * EXCERPT}), ${MENTION}, '@\\1', 'g'), ${EXCERPT})`.as(
        'excerpt',
      ),
    )
    .where('n.organization_id', '=', organizationId)
    // Row-level security hides tasks and results in the trash.
    .where((eb) =>
      eb.or([
        eb('t.id', 'is not', null),
        eb('r.id', 'is not', null),
        eb('f.id', 'is not', null),
        eb('p.id', 'is not', null),
      ]),
    )

export type NoticeRow = Awaited<ReturnType<typeof findNotices>>[number]

export const noticeList = listQuery(contract.noticeList, {
  rows: selectNotices,
  id: 'n.id',
  sorts: { createdAt: byId },
  filters: {
    unread: onlyWhere(sql`n.read_at is null`),
    own: condition((_: boolean, { id }) => sql`n.user_id = ${id}`),
  },
})

/** The user's notifications that a mail is about: a line names a notification or a comment. */
export const findNotices = (db: Database, organizationId: string, userId: string, lines: readonly string[]) =>
  selectNotices(db, organizationId)
    .where('n.user_id', '=', userId)
    .where(sql<boolean>`(n.id = any(${lines}) or n.comment_id = any(${lines}))`)
    .orderBy('n.id')
    .execute()

export const insertNotices = async (tx: Transaction, notices: Insertable<Notifications>[]): Promise<void> => {
  await tx.insertInto('notifications').values(notices).execute()
}

/** What notifications are about. */
export interface NoticeObject {
  type: 'task' | 'result' | 'finding' | 'report'
  id: string
}

const OBJECT_COLUMNS = { task: 'task_id', result: 'result_id', finding: 'finding_id', report: 'report_id' } as const

/** Marks a user's notifications as read: some, those about one object, or all. @returns how many were unread */
export const markRead = async (
  tx: Transaction,
  organizationId: string,
  userId: string,
  ids: readonly string[] | undefined,
  object: NoticeObject | undefined,
  now: string,
): Promise<number> => {
  const result = await tx
    .updateTable('notifications')
    .set({ read_at: now })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if(ids !== undefined, (update) => update.where(sql<boolean>`id = any(${ids})`))
    .$if(object !== undefined, (update) =>
      update.where(OBJECT_COLUMNS[(object as NoticeObject).type], '=', (object as NoticeObject).id),
    )
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** The users who were notified of a comment. */
export const listNotified = async (tx: Transaction, organizationId: string, commentId: string): Promise<string[]> => {
  const rows = await tx
    .selectFrom('notifications')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('comment_id', '=', commentId)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Filters these users to those who want mails of this kind. */
export const listMailRecipients = (
  tx: Transaction,
  userIds: readonly string[],
  preference: 'notify_mentions' | 'notify_assignments',
) =>
  tx
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where(sql<boolean>`id = any(${userIds})`)
    .where(preference, '=', true)
    .orderBy('id')
    .execute()

/** The member's current role. */
export const findMembership = (db: Database, organizationId: string, userId: string) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['m.role', 'm.name', 'o.name as organization_name', 'o.slug'])
    .where('m.organization_id', '=', organizationId)
    .where('m.user_id', '=', userId)
    .executeTakeFirst()

/** @returns how many were deleted, at most `limit` */
export const deleteNoticesBefore = async (db: Database, before: string, limit: number): Promise<number> => {
  const old = db
    .selectFrom('notifications')
    .select('id')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
  const result = await db.deleteFrom('notifications').where('id', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
