import Type from 'typebox'
import {
  AuthorId,
  closedObject,
  endpoint,
  Id,
  Line,
  Markdown,
  Nullable,
  NullableDay,
  NullableTimestamp,
  one,
  OneOf,
  Timestamp,
} from '../core/endpoint.ts'
import { AnyId, AnyOf, AnyText, declareList, OneId, PartOfText, TrashFlag } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED, TASK_PRIORITIES, TASK_STATUSES } from '../core/values.ts'
import { FieldFilter, Fields, FieldsChange } from '../custom-fields/fields.ts'
import { PersonReference } from '../engagement/engagement-details.ts'

/** By weight, lowest first. */
export const OUTCOMES = ['untested', 'pass', 'fail', 'not_applicable'] as const
export const LINK_TYPES = ['target', 'result', 'page', 'request', 'scan', 'task', 'finding'] as const

export type TaskStatus = (typeof TASK_STATUSES)[number]
export type TaskPriority = (typeof TASK_PRIORITIES)[number]
export type CheckOutcome = (typeof OUTCOMES)[number]
export type LinkType = (typeof LINK_TYPES)[number]

const MAX_LABELS = 20
const MAX_CHECKLIST = 100
const MAX_LINKS = 50
const LABEL_LENGTH = 64

const Title = Line(200, { examples: ['Check the password reset for user enumeration'] })
const Label = Line(LABEL_LENGTH, { pattern: '^[^,]*$', examples: ['web'], description: 'without a comma' })
export const Labels = Type.Array(Label, { maxItems: MAX_LABELS })
const ChecklistText = Line(500)
export const AssigneeId = Type.Unsafe<string | null>({
  ...AuthorId(),
  type: ['string', 'null'],
  description: 'a member who sees the engagement, an agent of the engagement, or null',
})
const LinkedId = Type.String({
  pattern: '^(?:tgt|res|wik|req|scn|tsk|fnd)_[0-9a-z]{26}$',
  maxLength: 30,
  examples: ['tgt_01jd7w2v4pf1y8m3c6k9t0r5xz'],
})

const ChecklistItem = closedObject({ id: Id('chk'), text: ChecklistText, done: Type.Boolean() })

const Link = closedObject({
  type: OneOf(LINK_TYPES),
  id: LinkedId,
  title: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'null for readers without the scope of its type',
  }),
  deleted: Type.Boolean({ description: 'whether the object is gone or in the trash' }),
})

export const Task = closedObject({
  id: Id('tsk'),
  engagementId: Id('eng'),
  number: Type.Integer({ minimum: 1, description: 'within the engagement; never used again' }),
  shortId: Type.String({
    description: 'the prefix of the engagement, and the number: search finds it',
    examples: ['MF-12'],
  }),
  title: Title,
  description: Markdown(50_000),
  status: OneOf(TASK_STATUSES),
  priority: OneOf(TASK_PRIORITIES),
  assignee: Nullable(PersonReference.properties, 'assignee'),
  dueOn: NullableDay('last day on which it is on time'),
  labels: Labels,
  position: Type.String({ maxLength: 400, description: 'order key: compare bytewise' }),
  checklist: Type.Array(ChecklistItem, { maxItems: MAX_CHECKLIST }),
  links: Type.Array(Link, { maxItems: MAX_LINKS }),
  check: Nullable(
    {
      methodologyId: Id('mth'),
      itemKey: Type.String(),
      targetId: Type.Unsafe<string | null>({
        ...Id('tgt'),
        type: ['string', 'null'],
        description: 'null: once for the engagement',
      }),
      outcome: OneOf(OUTCOMES),
    },
    'which item of which methodology it checks; null for other tasks',
  ),
  commentCount: Type.Integer({ minimum: 0 }),
  fields: Fields,
  createdBy: Nullable(PersonReference.properties, 'null for a key and for the code host'),
  completedAt: NullableTimestamp('when it was done or cancelled'),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
  trashedAt: NullableTimestamp('when it was moved to the trash'),
})

export const EXAMPLE_TASK = {
  id: 'tsk_01jd7w2v4pf1y8m3c6k9t0r5xz',
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  number: 12,
  shortId: 'MF-12',
  title: 'Check the password reset for user enumeration',
  description: 'Compare **timing** and wording for known and unknown addresses.',
  status: 'open',
  priority: 'high',
  assignee: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  dueOn: '2026-12-04',
  labels: ['web'],
  position: 'a0',
  checklist: [{ id: 'chk_01jd7w2v4pf1y8m3c6k9t0r5xz', text: 'Timing', done: true }],
  links: [{ type: 'target', id: 'tgt_01jd7w2v4pf1y8m3c6k9t0r5xz', title: 'portal.contoso.example', deleted: false }],
  check: null,
  commentCount: 2,
  fields: {},
  createdBy: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  completedAt: null,
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
  trashedAt: null,
}

const LIMIT = 'An engagement has at most 10000 tasks (TASK_LIMIT).'
const CHANGED = 'Someone else changed this task in the meantime. Reload it, then repeat the change.'
const OfTask = closedObject({ taskId: Id('tsk') })

const taskFields = {
  fields: Type.Optional(FieldsChange),
  description: Type.Optional(Markdown(50_000)),
  status: Type.Optional(OneOf(TASK_STATUSES)),
  priority: Type.Optional(OneOf(TASK_PRIORITIES)),
  assigneeId: Type.Optional(AssigneeId),
  dueOn: Type.Optional(NullableDay('null: no day')),
  labels: Type.Optional(Labels),
  checklist: Type.Optional(
    Type.Array(
      closedObject({
        id: Type.Optional(
          Type.String({ maxLength: 30, description: 'of an item that stays; any other text gets a new id' }),
        ),
        text: ChecklistText,
        done: Type.Optional(Type.Boolean()),
      }),
      { maxItems: MAX_CHECKLIST, description: 'replaces the whole checklist' },
    ),
  ),
  links: Type.Optional(
    Type.Array(closedObject({ type: OneOf(LINK_TYPES), id: LinkedId }), {
      maxItems: MAX_LINKS,
      description: 'objects of the same engagement or of the organization; replaces all links',
    }),
  ),
}

export const TaskChange = closedObject({
  title: Type.Optional(Title),
  ...taskFields,
  outcome: Type.Optional(OneOf(OUTCOMES, { description: 'of a task that checks an item of a methodology' })),
  ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change was made from')),
})

export const createTask = endpoint({
  id: 'createTask',
  method: 'POST',
  path: '/tasks',
  scope: 'tasks:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Create a task; it is added last.',
  body: closedObject({ engagementId: Id('eng'), title: Title, ...taskFields }),
  reply: one(Task),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, LIMIT],
  example: {
    body: {
      engagementId: EXAMPLE_TASK.engagementId,
      title: EXAMPLE_TASK.title,
      priority: 'high',
      checklist: [{ text: 'Timing' }],
    },
    reply: { data: EXAMPLE_TASK },
  },
})

export const taskList = declareList({
  name: 'tasks',
  item: Task,
  sorts: ['createdAt', 'updatedAt', 'dueOn', 'priority'],
  positioned: true,
  filters: {
    engagementId: OneId('eng'),
    status: AnyOf(TASK_STATUSES),
    priority: AnyOf(TASK_PRIORITIES),
    assigneeId: AnyId(AuthorId(), { orNone: true, orMe: true }),
    label: AnyText(LABEL_LENGTH),
    dueBefore: Type.String({
      format: 'date',
      maxLength: 10,
      examples: ['2026-12-01'],
      description: 'due before this day',
    }),
    targetId: AnyId('tgt', { description: 'checked by the task or linked to it' }),
    methodologyId: AnyId('mth', { orNone: true }),
    outcome: AnyOf(OUTCOMES),
    field: FieldFilter,
    q: PartOfText('part of the title, or a short id'),
    trashed: TrashFlag,
  },
  facets: ['status', 'priority', 'assigneeId', 'label', 'outcome'],
})

export const listTasks = endpoint({
  id: 'listTasks',
  method: 'GET',
  path: '/tasks',
  scope: 'tasks:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List tasks, of one engagement or of all.',
  query: taskList.query,
  reply: taskList.reply,
  example: { reply: { data: [EXAMPLE_TASK], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const countTasks = endpoint({
  id: 'countTasks',
  method: 'GET',
  path: '/tasks/facets',
  scope: 'tasks:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Count tasks by the values of some fields.',
  query: taskList.facetsQuery,
  reply: taskList.facetsReply,
  example: { reply: { data: { status: { open: 12, in_progress: 3, blocked: 0, done: 40, cancelled: 1 } } } },
})

export const getTask = endpoint({
  id: 'getTask',
  method: 'GET',
  path: '/tasks/:taskId',
  scope: 'tasks:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Read one task.',
  params: OfTask,
  reply: one(Task),
  example: { reply: { data: EXAMPLE_TASK } },
})

export const updateTask = endpoint({
  id: 'updateTask',
  method: 'PATCH',
  path: '/tasks/:taskId',
  scope: 'tasks:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change a task. Every status can follow every other.',
  description:
    'With `ifUpdatedAt`, the change is refused with 409 if someone else has changed the task since. An outcome does not change the status.',
  params: OfTask,
  body: TaskChange,
  reply: one(Task),
  conflicts: [ENGAGEMENT_ARCHIVED, CHANGED],
  example: {
    body: { status: 'done' },
    reply: { data: { ...EXAMPLE_TASK, status: 'done', completedAt: '2026-11-21T09:00:00.000Z' } },
  },
})

export const deleteTask = endpoint({
  id: 'deleteTask',
  method: 'DELETE',
  path: '/tasks/:taskId',
  scope: 'tasks:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete a task with its comments and files.',
  description: 'It stays in the trash for 30 days: `POST /tasks/bulk-restore` brings it back as it was.',
  params: OfTask,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('tsk') })),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { reply: { data: { deleted: true, id: EXAMPLE_TASK.id } } },
})

export const moveTask = endpoint({
  id: 'moveTask',
  method: 'POST',
  path: '/tasks/:taskId/move',
  scope: 'tasks:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Move a task directly before or after another, into another status, or both.',
  description:
    'Only `status` keeps the position. Concurrent moves wait for each other, so that everyone sees one order.',
  params: OfTask,
  body: closedObject({
    status: Type.Optional(OneOf(TASK_STATUSES)),
    beforeId: Type.Optional(Id('tsk', 'of another task of the same engagement')),
    afterId: Type.Optional(Id('tsk', 'of another task of the same engagement')),
  }),
  reply: one(Task),
  status: 200,
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: {
    body: { status: 'in_progress', afterId: 'tsk_01jd7w2v4pf1y8m3c6k9t0r5xa' },
    reply: { data: { ...EXAMPLE_TASK, status: 'in_progress' } },
  },
})

export const updateChecklistItem = endpoint({
  id: 'updateChecklistItem',
  method: 'PATCH',
  path: '/tasks/:taskId/checklist/:itemId',
  scope: 'tasks:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Tick or rewrite one item of a checklist.',
  description: 'Changes nothing else, so that two people who tick items at the same time lose nothing.',
  params: closedObject({ taskId: Id('tsk'), itemId: Id('chk') }),
  body: closedObject({ done: Type.Optional(Type.Boolean()), text: Type.Optional(ChecklistText) }),
  reply: one(Task),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { body: { done: true }, reply: { data: EXAMPLE_TASK } },
})

export const exportTasks = endpoint({
  id: 'exportTasks',
  method: 'GET',
  path: '/tasks/export',
  scope: 'tasks:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Export tasks, with the filters of the list.',
  description:
    'JSON is `{"data": [...]}` with whole tasks. In CSV, cells that a spreadsheet would run begin with an apostrophe.',
  query: closedObject({
    format: OneOf(['csv', 'json']),
    ...Type.Omit(taskList.query, ['cursor', 'perPage', 'trashed']).properties,
  }),
  reply: Type.String(),
  produces: {
    byFormat: {
      csv: { type: 'text/csv; charset=utf-8', fileName: 'tasks.csv' },
      json: { type: 'application/json; charset=utf-8', fileName: 'tasks.json' },
    },
  },
  example: { reply: { data: [EXAMPLE_TASK] } },
  cost: { perHour: 120, atOnce: 2 },
})
