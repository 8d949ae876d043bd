import Type from 'typebox'
import { closedObject, endpoint, Id, Nullable, one } from '../core/endpoint.ts'
import { ActivityEntry } from '../engagement/engagement-activity.ts'
import { FindingSummary } from '../findings/finding-fields.ts'
import { RequestSummary } from '../requests/api-requests.ts'
import { EXAMPLE_TASK, Task } from '../tasks/tasks.ts'
import { Operation } from './operation-log.ts'
import { EXAMPLE_RESULT, Result } from './results.ts'
import { EXAMPLE_TARGET, Target } from './targets.ts'

const Total = Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, description: 'null above 10000' })
const someOf = <I extends Type.TSchema>(item: I, description: string) =>
  closedObject({ items: Type.Array(item), total: Total }, { description })
const someOrNone = <I extends Type.TSchema>(item: I, description: string) =>
  Nullable({ items: Type.Array(item), total: Total }, description)

/** A target with the first of everything that is known about it. */
export const TargetOverview = closedObject({
  target: Target,
  children: someOf(Target, 'targets directly below it, in the order of addresses and names'),
  services: someOf(Result, 'open ports that are present, by port'),
  certificates: someOf(Result, 'that are present'),
  technologies: someOf(Result, 'that are present'),
  vulnerabilities: someOf(Result, 'open and confirmed, worst first'),
  findings: someOrNone(FindingSummary, 'that affect it, worst first; null without `reports:read`'),
  others: someOf(Result, 'hosts, DNS records, responses, paths and components that are present'),
  tasks: someOrNone(Task, 'that check it or link to it; null without `tasks:read`'),
  requests: someOrNone(
    RequestSummary,
    'saved requests whose name, address or description names its host; null without `api-requests:read`',
  ),
  operations: closedObject(
    { items: Type.Array(Operation), total: Total },
    { description: 'what was sent to it, latest first' },
  ),
  history: Type.Array(ActivityEntry, { description: 'its newest changes' }),
})

export const getTargetOverview = endpoint({
  id: 'getTargetOverview',
  method: 'GET',
  path: '/targets/:targetId/overview',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  doors: ['web'],
  summary: 'Read a target with the first of everything that is known about it, and how much there is.',
  params: closedObject({ targetId: Id('tgt') }),
  query: closedObject({
    perPart: Type.Integer({ minimum: 1, maximum: 25, default: 5, description: 'entries of each part' }),
  }),
  reply: one(TargetOverview),
  example: {
    reply: {
      data: {
        target: EXAMPLE_TARGET,
        children: { items: [], total: 0 },
        services: { items: [EXAMPLE_RESULT], total: 1 },
        certificates: { items: [], total: 0 },
        technologies: { items: [], total: 0 },
        vulnerabilities: { items: [], total: 0 },
        findings: { items: [], total: 0 },
        others: { items: [], total: 0 },
        tasks: { items: [EXAMPLE_TASK], total: 1 },
        requests: { items: [], total: 0 },
        operations: { items: [], total: 0 },
        history: [],
      },
    },
  },
})
