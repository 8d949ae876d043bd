import { TASK_PRIORITIES } from '@sortie/contract/core/values.ts'
import * as contract from '@sortie/contract/tasks/tasks.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { TitleSources } from '../../../platform/text/titles.ts'
import { type ShownLink, showLinks } from '../links.service.ts'
import type { TaskRow } from '../tasks.queries.ts'

export type ShownTask = Static<typeof contract.Task>

/** Tasks as the caller may see them, with the titles of linked objects. */
export const showTasks = async (
  db: Database,
  sources: TitleSources,
  actor: Actor,
  rows: readonly TaskRow[],
): Promise<ShownTask[]> => {
  const links = await showLinks(
    db,
    sources,
    actor,
    rows.flatMap((row) => row.links ?? []),
  )
  return rows.map((row) => toTask(row, links))
}

/** Shows one task. A change reads its response within its own transaction. */
export const showTask = async (db: Database, sources: TitleSources, actor: Actor, row: TaskRow): Promise<ShownTask> =>
  toTask(row, await showLinks(db, sources, actor, row.links ?? []))

const toTask = (row: TaskRow, links: ReadonlyMap<string, ShownLink>): ShownTask => ({
  id: row.id,
  engagementId: row.engagement_id,
  number: row.number,
  shortId: `${row.task_prefix ?? 'T'}-${row.number}`,
  title: row.title,
  description: row.description,
  status: row.status,
  priority: TASK_PRIORITIES[row.priority] as contract.TaskPriority,
  assignee: person(row.assignee_id, row.assignee_name),
  dueOn: row.due_on,
  labels: row.labels,
  position: row.position,
  checklist: row.checklist,
  // A deleted object may have a different title in each link.
  links: (row.links ?? []).map((link) => {
    const shown = links.get(link.id) as ShownLink
    return shown.deleted && shown.title !== null ? { ...shown, title: link.title } : shown
  }),
  check:
    row.methodology_id === null
      ? null
      : {
          methodologyId: row.methodology_id,
          itemKey: row.item_key as string,
          targetId: row.target_id,
          outcome: row.outcome as contract.CheckOutcome,
        },
  commentCount: row.comment_count ?? 0,
  fields: row.fields,
  createdBy: person(row.created_by, row.creator_name),
  completedAt: row.completed_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  trashedAt: row.trashed_at,
})

const person = (id: string | null, name: string | null) => (id === null ? null : { id, name: name as string })
