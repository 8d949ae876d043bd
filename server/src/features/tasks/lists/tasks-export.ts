import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import { fieldCell } from '../../../platform/fields/field-values.ts'
import { csvLine } from '../../../platform/text/csv.ts'
import type { TitleSources } from '../../../platform/text/titles.ts'
import { listDefinitions } from '../../custom-fields/field-definitions.queries.ts'
import { taskList } from '../tasks.queries.ts'
import { type ShownTask, showTasks } from './show-tasks.ts'

/** A task has up to 100 kB of text: a batch takes milliseconds, and other requests run in between. */
const BATCH = 50
/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'
const COLUMNS =
  'id,engagement,title,status,priority,assignee,due on,labels,outcome,methodology,item,target,description,checklist,links,comments,created by,created at,completed at,updated at'.split(
    ',',
  )

type Context = Pick<Writer, 'db' | 'keys'> & { actor: Actor }
type Query = Readonly<Record<string, unknown>> & { format: 'csv' | 'json' }

/**
 * The matching tasks, in the order of the list, batch by batch.
 *
 * @throws ApiError what the list throws, before the first batch
 */
export const exportTasks = async (
  context: Context,
  sources: TitleSources,
  { format, ...query }: Query,
): Promise<AsyncIterable<string>> => {
  const read = (cursor: string | undefined) => taskList.page(context, { ...query, perPage: BATCH, cursor })
  const first = await read(undefined)
  const fields =
    format === 'csv'
      ? (await listDefinitions(context.db, context.actor.organizationId, 'task')).map(({ key }) => key)
      : []
  async function* pieces() {
    yield format === 'csv' ? BYTE_ORDER_MARK + csvLine([...COLUMNS, ...fields]) : '{"data":['
    let separator = ''
    for (let page = first; ; page = await read(page.meta.nextCursor)) {
      for (const task of await showTasks(context.db, sources, context.actor, page.rows)) {
        yield format === 'csv'
          ? csvLine([...cellsOf(task), ...fields.map((key) => fieldCell(task.fields[key]))])
          : separator + JSON.stringify(task)
        separator = ',\n'
      }
      if (page.meta.nextCursor === null) break
    }
    if (format === 'json') yield ']}\n'
  }
  return pieces()
}

const cellsOf = (task: ShownTask): (string | null)[] => [
  task.id,
  task.engagementId,
  task.title,
  task.status,
  task.priority,
  task.assignee?.name ?? null,
  task.dueOn,
  task.labels.join(', '),
  task.check?.outcome ?? null,
  task.check?.methodologyId ?? null,
  task.check?.itemKey ?? null,
  task.check?.targetId ?? null,
  task.description,
  task.checklist.map(({ text, done }) => `[${done ? 'x' : ' '}] ${text}`).join('\n'),
  task.links.map(({ type, id, title }) => `${type} ${title ?? id}`).join('\n'),
  String(task.commentCount),
  task.createdBy?.name ?? null,
  task.createdAt,
  task.completedAt,
  task.updatedAt,
]
