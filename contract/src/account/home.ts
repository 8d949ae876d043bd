import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Nullable,
  NullableDay,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
  Timestamp,
} from '../core/endpoint.ts'
import { ENGAGEMENT_KINDS, PersonReference } from '../engagement/engagement-details.ts'
import { EXAMPLE_SUMMARY, FindingSummary } from '../findings/finding-fields.ts'
import { EXAMPLE_RESULT, Result } from '../inventory/results.ts'
import { EXAMPLE_TASK, Task } from '../tasks/tasks.ts'

/** Objects whose visits the start page keeps, by the prefix of their ids. */
export const VISITED_TYPES = {
  eng: 'engagement',
  tgt: 'target',
  res: 'result',
  tsk: 'task',
  wik: 'page',
  req: 'request',
  scn: 'scan',
  fnd: 'finding',
} as const

const Count = Type.Integer({ minimum: 0 })
const VisitedId = Type.String({
  pattern: '^(?:eng|tgt|res|tsk|wik|req|scn|fnd)_[0-9a-z]{26}$',
  maxLength: 30,
  examples: ['tgt_01jd7w2v4pf1y8m3c6k9t0r5xz'],
})

const Testing = closedObject({
  isOpen: Type.Boolean({ description: 'whether the days and hours of the engagement allow sending now' }),
  timeZone: Type.String({ description: 'of the times below; an IANA name' }),
  opens: Nullable(
    {
      day: Type.String({ format: 'date' }),
      weekday: Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday' }),
      time: Type.String({ examples: ['09:00'] }),
    },
    'when the next window begins; null while it is open, and if there is none',
  ),
})

export const HomeEngagement = closedObject({
  id: Id('eng'),
  name: Type.String(),
  clientName: Type.String(),
  kinds: Type.Array(OneOf(ENGAGEMENT_KINDS)),
  startsOn: NullableDay('first day'),
  endsOn: NullableDay('last day'),
  isOwn: Type.Boolean({ description: 'whether the caller leads it or is in its team' }),
  lead: Nullable(PersonReference.properties, 'who leads it'),
  testing: Testing,
})

const listOf = <I extends Type.TSchema>(item: I, description: string) =>
  Nullable({ items: Type.Array(item), total: Type.Integer({ minimum: 0 }) }, description)

export const Home = closedObject({
  tasks: listOf(Task, 'the caller’s unfinished tasks, earliest due date first; null without `tasks:read`'),
  dueThisWeek: listOf(Task, 'open tasks of the caller that are due by Sunday or overdue; null without `tasks:read`'),
  results: listOf(
    Result,
    'open and confirmed vulnerabilities that are assigned to the caller, worst first; null without `targets:read`',
  ),
  drafts: listOf(FindingSummary, 'draft findings whose author is the caller, worst first; null without `reports:read`'),
  reviews: listOf(
    FindingSummary,
    'findings in review whose reviewer is the caller, worst first; null without `reports:read`',
  ),
  engagements: Type.Array(HomeEngagement, {
    description: 'under way: active, started and not ended; the caller’s own first',
  }),
  scans: Nullable(
    {
      items: Type.Array(
        closedObject({
          id: Id('scn'),
          engagementId: Id('eng'),
          engagementName: Type.String(),
          name: Type.String(),
          state: OneOf(['queued', 'running']),
          startedAt: NullableTimestamp('null while it is queued'),
          done: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
          total: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
        }),
      ),
      total: Count,
    },
    'queued and running; null without `targets:read`',
  ),
  unread: Type.Integer({ minimum: 0, description: 'unread notices' }),
  recent: Type.Array(
    closedObject({
      type: OneOf(Object.values(VISITED_TYPES)),
      id: VisitedId,
      engagementId: NullableString('null for what belongs to the organization'),
      title: Type.String(),
      visitedAt: Timestamp(),
    }),
    { description: 'what the caller visited last and still sees, newest first' },
  ),
})

export const getHome = endpoint({
  id: 'getHome',
  method: 'GET',
  path: '/home',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  doors: ['web'],
  summary: 'Read the start page: what the signed-in person has to do, and what is under way.',
  description: 'Each list has at most 10 entries. Days are in UTC.',
  reply: one(Home),
  example: {
    reply: {
      data: {
        tasks: { items: [EXAMPLE_TASK], total: 1 },
        dueThisWeek: { items: [], total: 0 },
        results: { items: [EXAMPLE_RESULT], total: 1 },
        drafts: { items: [EXAMPLE_SUMMARY], total: 1 },
        reviews: { items: [], total: 0 },
        engagements: [
          {
            id: EXAMPLE_TASK.engagementId,
            name: 'Contoso external perimeter 2026',
            clientName: 'Contoso Ltd.',
            kinds: ['network'],
            startsOn: '2026-11-23',
            endsOn: '2026-12-04',
            isOwn: true,
            lead: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
            testing: {
              isOpen: false,
              timeZone: 'Europe/Berlin',
              opens: { day: '2026-11-27', weekday: 5, time: '09:00' },
            },
          },
        ],
        scans: { items: [], total: 0 },
        unread: 2,
        recent: [
          {
            type: 'task',
            id: EXAMPLE_TASK.id,
            engagementId: EXAMPLE_TASK.engagementId,
            title: EXAMPLE_TASK.title,
            visitedAt: '2026-11-21T08:30:00.000Z',
          },
        ],
      },
    },
  },
})

export const recordVisit = endpoint({
  id: 'recordVisit',
  method: 'POST',
  path: '/home/visits',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  doors: ['web'],
  summary: 'Record that the signed-in person visited an object.',
  body: closedObject({ objectId: VisitedId }),
  reply: one(closedObject({ recorded: Type.Boolean() })),
  status: 200,
  example: { body: { objectId: EXAMPLE_TASK.id }, reply: { data: { recorded: true } } },
})

export const FIRST_RUN_STEPS = ['password', 'organization', 'people', 'engagement'] as const

const StepState = OneOf(['open', 'done', 'skipped'])

export const FirstRun = closedObject({
  steps: Type.Array(closedObject({ step: OneOf(FIRST_RUN_STEPS), state: StepState }), {
    description: 'in their order; those that the caller may not do are left out',
  }),
  isFinished: Type.Boolean({ description: 'whether no step is open; the steps are then never shown again' }),
})

const EXAMPLE_FIRST_RUN = {
  steps: [
    { step: 'password', state: 'done' },
    { step: 'organization', state: 'open' },
  ],
  isFinished: false,
}

export const getFirstRun = endpoint({
  id: 'getFirstRun',
  method: 'GET',
  path: '/first-run',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  doors: ['web'],
  summary: 'Read which of the first steps the account has done or skipped.',
  reply: one(FirstRun),
  example: { reply: { data: EXAMPLE_FIRST_RUN } },
})

export const updateFirstRun = endpoint({
  id: 'updateFirstRun',
  method: 'PATCH',
  path: '/first-run',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  doors: ['web'],
  summary: 'Record that a first step is done or skipped.',
  description: 'The first run is complete once no step is open, and stays complete.',
  body: closedObject(
    Object.fromEntries(FIRST_RUN_STEPS.map((step) => [step, Type.Optional(OneOf(['done', 'skipped']))])) as Record<
      (typeof FIRST_RUN_STEPS)[number],
      Type.TOptional<Type.TUnsafe<'done' | 'skipped'>>
    >,
  ),
  reply: one(FirstRun),
  example: { body: { password: 'done' }, reply: { data: EXAMPLE_FIRST_RUN } },
})
