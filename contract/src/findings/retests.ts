import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Line,
  Nullable,
  NullableDay,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
  Timestamp,
} from '../core/endpoint.ts'
import { AnyId, AnyOf, declareList, OneId, PartOfText, TOO_MANY_MATCH } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { PersonReference } from '../engagement/engagement-details.ts'
import { EmptyLine, FINDING_SEVERITIES, IN_TRASH, REMEDIATION_STATUSES } from './finding-fields.ts'
import { findingList } from './findings.ts'

export const RETEST_STATES = ['planned', 'running', 'done'] as const
export const RETEST_OUTCOMES = ['fixed', 'partly_fixed', 'open', 'not_reproducible', 'not_retested'] as const
/** Items of one retest. */
export const MAX_RETEST_ITEMS = 10_000

const STALE = 'This retest was changed in the meantime. Read it again, then repeat the change.'
const DONE = 'This retest is done: set it to running first.'
const TOO_MANY_ITEMS = `A retest has at most ${MAX_RETEST_ITEMS} items.`

const name = Line(200, { examples: ['Retest in spring'] })
const StartsOn = NullableDay('first day of its dates; both days or none')
const EndsOn = NullableDay('last day of its dates, which count as testing dates while it runs')

export const Retest = closedObject({
  id: Id('rts'),
  engagementId: Id('eng'),
  name,
  startsOn: StartsOn,
  endsOn: EndsOn,
  state: OneOf(RETEST_STATES),
  counts: closedObject(
    Object.fromEntries(
      ['none', ...RETEST_OUTCOMES].map((outcome) => [outcome, Type.Integer({ minimum: 0 })]),
    ) as Record<'none' | (typeof RETEST_OUTCOMES)[number], Type.TInteger>,
    { description: 'items by outcome; `none`: without one' },
  ),
  createdBy: Nullable(PersonReference.properties, 'null for a key'),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
})

export const RetestItem = closedObject({
  id: Id('rti'),
  retestId: Id('rts'),
  findingId: Id('fnd'),
  affectedId: NullableString('null for a finding without assets, and after the asset was deleted'),
  asset: NullableString('null for a finding without assets'),
  finding: closedObject(
    {
      number: Type.Integer({ minimum: 1 }),
      title: Type.String(),
      severity: OneOf(FINDING_SEVERITIES),
      trashedAt: NullableTimestamp('when it was deleted'),
    },
    { description: 'the finding of the item' },
  ),
  status: Type.Unsafe<(typeof REMEDIATION_STATUSES)[number] | null>({
    type: ['string', 'null'],
    enum: [...REMEDIATION_STATUSES, null],
    description: 'of the asset now, or of a finding without assets; null after the asset was deleted',
  }),
  outcome: Type.Unsafe<(typeof RETEST_OUTCOMES)[number] | null>({
    type: ['string', 'null'],
    enum: [...RETEST_OUTCOMES, null],
  }),
  note: EmptyLine(500),
  by: Nullable(PersonReference.properties, 'who set the outcome; null for a key'),
  at: NullableTimestamp('when the outcome was set'),
  updatedAt: Timestamp(),
})

const EXAMPLE = {
  id: 'rts_01jd7w2v4pf1y8m3c6k9t0r5xz',
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  name: 'Retest in spring',
  startsOn: '2027-03-01',
  endsOn: '2027-03-05',
  state: 'planned',
  counts: { none: 12, fixed: 0, partly_fixed: 0, open: 0, not_reproducible: 0, not_retested: 0 },
  createdBy: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}
const EXAMPLE_ITEM = {
  id: 'rti_01jd7w2v4pf1y8m3c6k9t0r5xz',
  retestId: EXAMPLE.id,
  findingId: 'fnd_01jd7w2v4pf1y8m3c6k9t0r5xz',
  affectedId: 'aff_01jd7w2v4pf1y8m3c6k9t0r5xz',
  asset: 'https://shop.contoso.example/search',
  finding: { number: 3, title: 'Stored cross-site scripting', severity: 'high', trashedAt: null },
  status: 'open',
  outcome: null,
  note: '',
  by: null,
  at: null,
  updatedAt: '2026-11-21T08:30:00.000Z',
}

const OfRetest = closedObject({ retestId: Id('rts') })
const OfItem = closedObject({ retestId: Id('rts'), itemId: Id('rti') })

export const retestList = declareList({
  name: 'retests',
  item: Retest,
  sorts: ['createdAt'],
  filters: { engagementId: OneId('eng'), state: AnyOf(RETEST_STATES) },
})

export const retestItemList = declareList({
  name: 'retest-items',
  item: RetestItem,
  sorts: ['createdAt'],
  order: 'asc',
  filters: {
    retestId: OneId('rts'),
    outcome: AnyOf(RETEST_OUTCOMES, { orNone: true }),
    findingId: AnyId('fnd'),
    q: PartOfText('part of the asset'),
  },
})

/** The path names the retest. */
const { retestId: _retest, ...itemQuery } = retestItemList.query.properties

export const listRetests = endpoint({
  id: 'listRetests',
  method: 'GET',
  path: '/retests',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List retests, of one engagement or of all.',
  query: retestList.query,
  reply: retestList.reply,
  example: { reply: { data: [EXAMPLE], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const createRetest = endpoint({
  id: 'createRetest',
  method: 'POST',
  path: '/retests',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Plan a retest with an item for each affected asset of some findings.',
  description:
    'A finding without assets is one item. Either `findingIds` or `filter`, with the filters of the list of findings; findings in the trash are left out.',
  body: closedObject({
    engagementId: Id('eng'),
    name,
    startsOn: Type.Optional(StartsOn),
    endsOn: Type.Optional(EndsOn),
    findingIds: Type.Optional(Type.Array(Id('fnd'), { minItems: 1, maxItems: 1_000 })),
    filter: Type.Optional(findingList.filter),
  }),
  reply: one(Retest),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, TOO_MANY_ITEMS, TOO_MANY_MATCH, 'An engagement has at most 1000 retests.'],
  example: {
    body: {
      engagementId: EXAMPLE.engagementId,
      name: EXAMPLE.name,
      startsOn: EXAMPLE.startsOn,
      endsOn: EXAMPLE.endsOn,
      findingIds: [EXAMPLE_ITEM.findingId],
    },
    reply: { data: EXAMPLE },
  },
})

export const getRetest = endpoint({
  id: 'getRetest',
  method: 'GET',
  path: '/retests/:retestId',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Read one retest.',
  params: OfRetest,
  reply: one(Retest),
  example: { reply: { data: EXAMPLE } },
})

export const updateRetest = endpoint({
  id: 'updateRetest',
  method: 'PATCH',
  path: '/retests/:retestId',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Rename, move, start or finish a retest.',
  description:
    'States go planned → running → done, one step at a time, and back. `done` needs an outcome for every item, or `markRest: "not_retested"` for the others.',
  params: OfRetest,
  body: closedObject({
    name: Type.Optional(name),
    startsOn: Type.Optional(StartsOn),
    endsOn: Type.Optional(EndsOn),
    state: Type.Optional(OneOf(RETEST_STATES)),
    markRest: Type.Optional(OneOf(['not_retested'], { description: 'with `state: "done"`' })),
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change is based on')),
  }),
  reply: one(Retest),
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    STALE,
    '3 items have no outcome yet: set it, or finish with markRest.',
    'state: a retest goes from planned to running to done, one step at a time, and back.',
  ],
  example: { body: { state: 'running' }, reply: { data: { ...EXAMPLE, state: 'running' } } },
})

export const deleteRetest = endpoint({
  id: 'deleteRetest',
  method: 'DELETE',
  path: '/retests/:retestId',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete a retest with its items. Statuses that it set stay.',
  params: OfRetest,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('rts') })),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { reply: { data: { deleted: true, id: EXAMPLE.id } } },
})

export const listRetestItems = endpoint({
  id: 'listRetestItems',
  method: 'GET',
  path: '/retests/:retestId/items',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List the items of a retest.',
  params: OfRetest,
  query: closedObject(itemQuery),
  reply: retestItemList.reply,
  example: { reply: { data: [EXAMPLE_ITEM], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const updateRetestItem = endpoint({
  id: 'updateRetestItem',
  method: 'PATCH',
  path: '/retests/:retestId/items/:itemId',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Set the outcome of an item.',
  description:
    'An outcome sets the status of the asset, or of the finding without assets. `not_retested` and null leave it; if the item had another outcome, they return the status from before it, unless the status was changed since.',
  params: OfItem,
  body: closedObject({
    outcome: Type.Optional(RetestItem.properties.outcome),
    note: Type.Optional(EmptyLine(500)),
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change is based on')),
  }),
  reply: one(RetestItem),
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    IN_TRASH,
    DONE,
    'This item was changed in the meantime. Read it again, then repeat the change.',
  ],
  example: {
    body: { outcome: 'fixed' },
    reply: {
      data: {
        ...EXAMPLE_ITEM,
        status: 'fixed',
        outcome: 'fixed',
        by: EXAMPLE.createdBy,
        at: '2027-03-01T09:30:00.000Z',
      },
    },
  },
})

export const runRetestItem = endpoint({
  id: 'runRetestItem',
  method: 'POST',
  path: '/retests/:retestId/items/:itemId/run',
  scope: 'reports:write',
  readBy: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Send the stored request of a finding again, or repeat its scan.',
  description:
    'Uses the first proof of the finding, or the named one, with the target of the item. Also needs `api-requests:write` for a request, `targets:write` for a scan. Scope, hours and the egress policy apply. In a completed engagement this is the only way to send, while the retest runs and within its dates.',
  params: OfItem,
  body: closedObject({
    proofId: Type.Optional(
      Type.String({
        pattern: '^(?:req|run|scn)_[0-9a-z]{26}$',
        maxLength: 30,
        examples: ['req_01jd7w2v4pf1y8m3c6k9t0r5xz'],
      }),
    ),
  }),
  bodyIsOptional: true,
  externalEffect: { seconds: 150 },
  reply: one(
    closedObject({
      runId: NullableString('the new run; null for a scan'),
      scanId: NullableString('the new scan; null for a request'),
      recordedRunId: NullableString(
        'the run to compare it with: the recorded one, or the last one of the request before the retest was planned, otherwise before this; null if there is none',
      ),
    }),
  ),
  status: 200,
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    IN_TRASH,
    'This retest is not running: set it to running first.',
    'This finding has no proof that can be run again.',
    'This engagement is not active: nothing is sent from it.',
    'It is outside the testing hours: there is no further window.',
    'This instance is in safe mode: nothing leaves it.',
  ],
  example: {
    body: {},
    reply: {
      data: { runId: 'run_01jd7w2v4pf1y8m3c6k9t0r5xb', scanId: null, recordedRunId: 'run_01jd7w2v4pf1y8m3c6k9t0r5xz' },
    },
  },
})
