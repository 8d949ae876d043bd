import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Nullable,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
  Timestamp,
  AuthorId,
} from '../core/endpoint.ts'
import { IN_SAFE_MODE } from '../core/errors.ts'
import { AnyId, AnyOf, declareList, OneId, OrganizationFlag } from '../core/lists.ts'
import { Override, OverrideInput, VariableValues, WITHOUT_ENGAGEMENT } from './request-parts.ts'
import { EXAMPLE_RUN_SUMMARY, RunSummary } from './request-runs.ts'

export const SEQUENCE_STATES = ['running', 'succeeded', 'failed', 'cancelled'] as const

const summary = {
  id: Id('seq'),
  folderId: Type.String({ description: 'the folder that it runs; the sequence is kept when the folder is deleted' }),
  engagementId: NullableString('whose rules, hours and environments it has'),
  environmentId: NullableString('the environment'),
  state: OneOf(SEQUENCE_STATES, { description: '`failed` where a run failed or was refused, or an assertion did' }),
  reason: NullableString('why it failed or was cancelled'),
  progress: closedObject({ done: Type.Integer({ minimum: 0 }), total: Type.Integer({ minimum: 0 }) }),
  override: Override,
  startedBy: Nullable({ id: AuthorId(), name: Type.String() }, 'null for an API key'),
  createdAt: Timestamp(),
  endedAt: NullableTimestamp('null while it runs'),
}

/** The form in lists. */
export const SequenceSummary = closedObject(summary)

export const RequestSequence = closedObject({
  ...summary,
  runs: Type.Array(RunSummary, { description: 'in the order in which they were sent' }),
})

const EXAMPLE_SUMMARY = {
  id: 'seq_01jd7w2v4pf1y8m3c6k9t0r5xz',
  folderId: 'fld_01jd7w2v4pf1y8m3c6k9t0r5xz',
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  environmentId: null,
  state: 'succeeded',
  reason: null,
  progress: { done: 1, total: 1 },
  override: null,
  startedBy: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  createdAt: '2026-11-21T08:30:00.000Z',
  endedAt: '2026-11-21T08:30:02.000Z',
} as const

const EXAMPLE = { ...EXAMPLE_SUMMARY, runs: [{ ...EXAMPLE_RUN_SUMMARY, sequenceId: EXAMPLE_SUMMARY.id }] } as const

export const sequenceList = declareList({
  name: 'request-sequences',
  item: SequenceSummary,
  sorts: ['createdAt'],
  filters: {
    engagementId: OneId('eng'),
    organization: OrganizationFlag,
    folderId: AnyId('fld'),
    state: AnyOf(SEQUENCE_STATES),
  },
})

/** Requests in one sequence. */
export const MAX_SEQUENCE_REQUESTS = 100
/** Characters that all requests of one sequence may capture together. */
export const MAX_SEQUENCE_CAPTURED = 1_000_000
/** Maximum duration of a sequence, in seconds. */
export const MAX_SEQUENCE_SECONDS = 600

export const executeRequestFolder = endpoint({
  id: 'executeRequestFolder',
  method: 'POST',
  path: '/request-folders/:folderId/execute',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Execute the requests of a folder in their order.',
  description: `Requests of the folder come first, then those of the folders in it. Values captured by one are variables of the next. It stops at the first request that fails or has a failed assertion, unless \`continueOnFailure\` says otherwise. Responds at its end; the list shows its progress. At most ${MAX_SEQUENCE_REQUESTS} requests, and ${MAX_SEQUENCE_SECONDS / 60} minutes. The captured values have at most ${MAX_SEQUENCE_CAPTURED.toLocaleString('en')} characters together. ${WITHOUT_ENGAGEMENT}`,
  params: closedObject({ folderId: Id('fld') }),
  body: closedObject({
    engagementId: Type.Optional(Id('eng', 'for a folder of the organization')),
    environmentId: Type.Optional(Id('env')),
    variables: Type.Optional(VariableValues),
    continueOnFailure: Type.Optional(Type.Boolean()),
    override: OverrideInput,
  }),
  status: 201,
  reply: one(RequestSequence),
  externalEffect: { seconds: MAX_SEQUENCE_SECONDS + 60 },
  conflicts: [
    'This engagement is not active: nothing is sent from it.',
    'It is outside the testing hours: the next window begins on 2026-11-23 at 20:00 (Europe/Berlin).',
    `The folder has more than ${MAX_SEQUENCE_REQUESTS} requests.`,
    IN_SAFE_MODE,
  ],
  example: { body: { variables: { host: 'staging.example.com' } }, reply: { data: EXAMPLE } },
})

export const listRequestSequences = endpoint({
  id: 'listRequestSequences',
  method: 'GET',
  path: '/request-sequences',
  scope: 'api-requests:read',
  about: 'either',
  origin: 'extension',
  summary: 'List executed folders, newest first.',
  query: sequenceList.query,
  reply: sequenceList.reply,
  example: { reply: { data: [EXAMPLE_SUMMARY], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

const params = closedObject({ sequenceId: Id('seq') })

export const getRequestSequence = endpoint({
  id: 'getRequestSequence',
  method: 'GET',
  path: '/request-sequences/:sequenceId',
  scope: 'api-requests:read',
  about: 'either',
  origin: 'extension',
  summary: 'Get an executed folder with its runs.',
  params,
  reply: one(RequestSequence),
  example: { reply: { data: EXAMPLE } },
})

export const cancelRequestSequence = endpoint({
  id: 'cancelRequestSequence',
  method: 'POST',
  path: '/request-sequences/:sequenceId/cancel',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Cancel a sequence.',
  description: 'It ends within two seconds. Cancelling an ended one changes nothing.',
  params,
  status: 200,
  reply: one(RequestSequence),
  example: { reply: { data: { ...EXAMPLE, state: 'cancelled', reason: 'It was cancelled.' } } },
})
