import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { ChecklistItem } from '../tasks.queries.ts'

/** The columns that a copy keeps. Checks are omitted: their targets differ, so the methodology is expanded again. */
export const listForCloning = (
  db: Database,
  organizationId: string,
  engagementId: string,
  after: { position: string; id: string } | undefined,
  limit: number,
) =>
  db
    .selectFrom('tasks')
    .select(['id', 'position', 'title', 'description', 'priority', 'labels'])
    .select(({ ref }) => ref('checklist').$castTo<ChecklistItem[]>().as('checklist'))
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('methodology_id', 'is', null)
    .$if(after !== undefined, (query) => query.where(sql<boolean>`(position, id) > (${after?.position}, ${after?.id})`))
    .orderBy('position')
    .orderBy('id')
    .limit(limit)
    .execute()

type Copy = Awaited<ReturnType<typeof listForCloning>>[number] & { number: number }

interface SharedByCopies {
  organizationId: string
  engagementId: string
  createdBy: string | null
  now: string
}

/** Inserts open tasks in one statement. */
export const insertCopies = async (
  tx: Transaction,
  { organizationId, engagementId, createdBy, now }: SharedByCopies,
  copies: readonly Copy[],
): Promise<void> => {
  await sql`insert into tasks (id, number, organization_id, engagement_id, title, description, status, priority, labels, position, checklist, created_by, created_at, updated_at)
    select r.id, r.number, ${organizationId}, ${engagementId}, r.title, r.description, 'open', r.priority, r.labels, r.position, r.checklist, ${createdBy},
      ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(copies)}::jsonb) as r (
      id text, number integer, title text, description text, priority smallint, labels text[], position text, checklist jsonb)`.execute(
    tx,
  )
}

/** Counts the tasks of an engagement by status; a status without tasks is omitted. */
export const countByStatus = async (
  db: Database,
  organizationId: string,
  engagementId: string,
): Promise<Record<string, number>> => {
  const rows = await db
    .selectFrom('tasks')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .groupBy('status')
    .execute()
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}
