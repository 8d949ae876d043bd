import Type from 'typebox'
import { closedObject, endpoint, Id, Line, OneOf, one, Timestamp } from '../core/endpoint.ts'
import { EXAMPLE_FILE, MAX_CAPTION, redactableFileEndpointsOf, StoredFile } from '../core/files.ts'
import {
  AnyId,
  AnyOf,
  AnyText,
  declareList,
  Flag,
  OneId,
  PartOfText,
  selectionOf,
  TOO_MANY_MATCH,
  withUndo,
} from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { FieldFilter } from '../custom-fields/fields.ts'
import { resultList } from '../inventory/results.ts'
import { FindingUndo } from './bulk/finding-undo.ts'
import {
  CLIENT_STATES,
  EXAMPLE_FINDING,
  EXAMPLE_SUMMARY,
  Finding,
  FINDING_LIMITS,
  FINDING_SEVERITIES,
  FINDING_STATES,
  FindingSummary,
  FindingTitle,
  IN_TRASH,
  IN_TURN,
  OfFinding,
  PersonId,
  REMEDIATION_STATUSES,
  STALE,
  Tags,
  texts,
  VERIFICATIONS,
  writtenFields,
} from './finding-fields.ts'
import { Language } from './library-fields.ts'

const REVIEW = [
  'state: a finding goes from draft to in_review to approved, one step at a time, and back one step or to draft.',
  'severityReason: is needed before review, because severity and score differ.',
  'fields.cost_center: is required before review.',
  'With four-eyes review, an API key cannot approve a finding.',
  'With four-eyes review, a finding must be approved by someone who wrote none of its text.',
]
const TOO_MANY = 'An engagement has at most 10000 findings (FINDING_LIMIT).'

const optional = Type.Partial(closedObject({ ...writtenFields, ...texts })).properties

export const createFinding = endpoint({
  id: 'createFinding',
  method: 'POST',
  path: '/findings',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Create a finding as a draft, last in its engagement.',
  description:
    'Without severity and vector the severity is `info`. With `resultIds` or `resultFilter`, the results become its affected assets; this also needs `targets:read`. The severity is then the highest of the results. It follows the vector of the library entry instead if there is one, unless a person has set the severity of a result. A missing title is taken from the results, and the recorded proof of the worst result is embedded in the reproduction. With `libraryEntryId` it gets the texts of the entry, in `language`, otherwise in the language of the client, of the organization, or of the entry. Without `retestOf`, the finding becomes the retest of an earlier one if its results retest results of that one (`retestOf` of a result, which cloning an engagement sets).',
  body: closedObject({
    engagementId: Id('eng'),
    title: Type.Optional(FindingTitle),
    ...optional,
    libraryEntryId: Type.Optional(Id('lib', 'an entry whose current texts, ids, vector and severity it gets')),
    language: Type.Optional(Language),
    resultIds: Type.Optional(Type.Array(Id('res'), { minItems: 1, maxItems: 1_000 })),
    resultFilter: Type.Optional(resultList.filter),
  }),
  bodyLimits: FINDING_LIMITS,
  reply: one(Finding),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, TOO_MANY],
  example: {
    body: { engagementId: EXAMPLE_FINDING.engagementId, title: EXAMPLE_FINDING.title, severity: 'high' },
    reply: { data: EXAMPLE_FINDING },
  },
})

export const findingList = declareList({
  name: 'findings',
  item: FindingSummary,
  sorts: ['createdAt', 'updatedAt', 'severity', 'number'],
  positioned: true,
  filters: {
    engagementId: OneId('eng'),
    clientId: AnyId('cli', { description: 'the client of the engagement' }),
    severity: AnyOf(FINDING_SEVERITIES),
    state: AnyOf(FINDING_STATES),
    status: AnyOf(REMEDIATION_STATUSES),
    clientStatus: AnyOf(CLIENT_STATES, { orNone: true }),
    verification: AnyOf(VERIFICATIONS),
    authorId: AnyId('usr', { orNone: true, orMe: true }),
    reviewerId: AnyId('usr', { orNone: true, orMe: true }),
    cwe: AnyText(11),
    tag: AnyText(64),
    targetId: AnyId('tgt', { description: 'with this target among the affected assets' }),
    field: FieldFilter,
    published: Type.Boolean({ description: 'only findings that are published, or that are not' }),
    trashed: Flag('only what is in the trash, which is otherwise left out'),
    q: PartOfText('part of the title'),
  },
  facets: ['severity', 'state', 'status', 'verification', 'authorId', 'reviewerId', 'tag'],
})

export const listFindings = endpoint({
  id: 'listFindings',
  method: 'GET',
  path: '/findings',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List findings without their texts, of one engagement or of all.',
  query: findingList.query,
  reply: findingList.reply,
  example: { reply: { data: [EXAMPLE_SUMMARY], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const countFindings = endpoint({
  id: 'countFindings',
  method: 'GET',
  path: '/findings/facets',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Count findings by the values of some fields.',
  query: findingList.facetsQuery,
  reply: findingList.facetsReply,
  example: { reply: { data: { severity: { info: 0, low: 2, medium: 5, high: 3, critical: 1 } } } },
})

export const exportFindings = endpoint({
  id: 'exportFindings',
  method: 'GET',
  path: '/findings/export',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Export the findings of an engagement with their texts and affected assets.',
  description:
    'JSON is `{"data": [...]}` with whole findings, each with its `affected`. SARIF is version 2.1.0. `jira-csv` has the columns of an issue import. In CSV, cells that a spreadsheet would run have an apostrophe before them.',
  query: closedObject({ engagementId: Id('eng'), format: OneOf(['csv', 'json', 'sarif', 'jira-csv']) }),
  reply: Type.String(),
  produces: {
    byFormat: {
      csv: { type: 'text/csv; charset=utf-8', fileName: 'findings.csv' },
      json: { type: 'application/json; charset=utf-8', fileName: 'findings.json' },
      sarif: { type: 'application/json; charset=utf-8', fileName: 'findings.sarif' },
      'jira-csv': { type: 'text/csv; charset=utf-8', fileName: 'findings-jira.csv' },
    },
  },
  example: { reply: { data: [EXAMPLE_FINDING] } },
  cost: { perHour: 120, atOnce: 2 },
})

export const getFinding = endpoint({
  id: 'getFinding',
  method: 'GET',
  path: '/findings/:findingId',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Read one finding.',
  params: OfFinding,
  reply: one(Finding),
  example: { reply: { data: EXAMPLE_FINDING } },
})

export const updateFinding = endpoint({
  id: 'updateFinding',
  method: 'PATCH',
  path: '/findings/:findingId',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change a finding.',
  description:
    'A text needs `baseRevision`, the `revision` that it was changed from. Edits of other sections, or of other lines of the same section, are merged (`meta.merged`); overlapping edits are 409, and nothing is changed. Changing title, severity or text of an approved finding returns it to review (`meta.returnedToReview`).',
  params: OfFinding,
  body: closedObject({
    title: Type.Optional(FindingTitle),
    ...optional,
    state: Type.Optional(OneOf(FINDING_STATES)),
    libraryVersion: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'the version of its library entry that it was compared with; at most the current one',
      }),
    ),
    baseRevision: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'the revision that the texts are based on' }),
    ),
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change is based on')),
  }),
  bodyLimits: FINDING_LIMITS,
  responseTimeout: IN_TURN,
  reply: closedObject({
    data: Finding,
    meta: closedObject({
      merged: Type.Boolean({ description: 'whether the texts also have what others saved since `baseRevision`' }),
      returnedToReview: Type.Boolean({ description: 'whether the finding was approved, and needs a new review' }),
    }),
  }),
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    IN_TRASH,
    STALE,
    'Another edit changed the same lines in the meantime. Nothing was saved: read the finding again and decide.',
    'The text is based on a revision that is too old to be merged. Read the finding again.',
    'With the other edits a text would have more than 50000 characters: read the finding again and shorten it.',
    ...REVIEW,
  ],
  example: {
    body: { impact: EXAMPLE_FINDING.impact, baseRevision: 1 },
    reply: { data: { ...EXAMPLE_FINDING, revision: 2 }, meta: { merged: false, returnedToReview: false } },
  },
})

export const deleteFinding = endpoint({
  id: 'deleteFinding',
  method: 'DELETE',
  path: '/findings/:findingId',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Move a finding to the trash, or delete it forever.',
  description:
    'It is deleted after 30 days. `forever=true` is for the owner and admins in the web interface: 403 for others and for keys.',
  params: OfFinding,
  query: closedObject({ forever: Type.Optional(Flag('delete it with its history, assets and files')) }),
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('fnd') })),
  conflicts: [ENGAGEMENT_ARCHIVED, 'This finding is already in the trash.'],
  example: { reply: { data: { deleted: true, id: EXAMPLE_FINDING.id } } },
})

export const restoreFinding = endpoint({
  id: 'restoreFinding',
  method: 'POST',
  path: '/findings/:findingId/restore',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Restore a finding from the trash.',
  params: OfFinding,
  reply: one(Finding),
  conflicts: [ENGAGEMENT_ARCHIVED, 'This finding is not in the trash.'],
  example: { reply: { data: EXAMPLE_FINDING } },
})

export const moveFinding = endpoint({
  id: 'moveFinding',
  method: 'POST',
  path: '/findings/:findingId/move',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Move a finding directly before or after another of its engagement.',
  params: OfFinding,
  body: closedObject({
    beforeId: Type.Optional(Id('fnd', 'of another finding of the same engagement')),
    afterId: Type.Optional(Id('fnd', 'of another finding of the same engagement')),
  }),
  reply: one(Finding),
  conflicts: [ENGAGEMENT_ARCHIVED, IN_TRASH],
  example: { body: { afterId: 'fnd_01jd7w2v4pf1y8m3c6k9t0r5xa' }, reply: { data: EXAMPLE_FINDING } },
})

export const publishFinding = endpoint({
  id: 'publishFinding',
  method: 'POST',
  path: '/findings/:findingId/publish',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Show an approved finding to guests.',
  description: '`force` with a `reason` publishes a finding that is not approved. Publishing again changes nothing.',
  params: OfFinding,
  body: closedObject({ force: Type.Optional(Type.Boolean()), reason: Type.Optional(Line(500)) }),
  bodyIsOptional: true,
  reply: one(Finding),
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    IN_TRASH,
    'This finding is not approved: approve it first, or publish it with force and a reason.',
  ],
  example: {
    body: {},
    reply: { data: { ...EXAMPLE_FINDING, state: 'approved', publishedAt: '2026-11-22T08:30:00.000Z' } },
  },
})

export const unpublishFinding = endpoint({
  id: 'unpublishFinding',
  method: 'POST',
  path: '/findings/:findingId/unpublish',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Hide a finding from guests.',
  params: OfFinding,
  reply: one(Finding),
  conflicts: [ENGAGEMENT_ARCHIVED, IN_TRASH],
  example: { reply: { data: EXAMPLE_FINDING } },
})

export const bulkUpdateFindings = endpoint({
  id: 'bulkUpdateFindings',
  method: 'POST',
  path: '/findings/bulk-update',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Apply one change to many findings.',
  description: 'The rules of review apply to each: one refusal is 409, and nothing is changed.',
  body: closedObject({
    ...selectionOf(findingList, 'fnd'),
    set: closedObject({
      severity: Type.Optional(OneOf(FINDING_SEVERITIES)),
      state: Type.Optional(OneOf(FINDING_STATES)),
      status: Type.Optional(OneOf(REMEDIATION_STATUSES)),
      authorId: Type.Optional(PersonId('a member who sees the engagement, or null')),
      reviewerId: Type.Optional(PersonId('a member who sees the engagement, or null')),
      addTags: Type.Optional(Tags),
      removeTags: Type.Optional(Tags),
    }),
    ...withUndo('undo'),
  }),
  responseTimeout: IN_TURN,
  reply: one(
    closedObject({
      updated: Type.Integer({ minimum: 0, description: 'findings that were found' }),
      undo: Type.Optional(
        Type.Array(FindingUndo, { description: 'the former values, for `POST /findings/bulk-revert`' }),
      ),
    }),
  ),
  conflicts: [ENGAGEMENT_ARCHIVED, IN_TRASH, TOO_MANY_MATCH, ...REVIEW],
  example: { body: { ids: [EXAMPLE_FINDING.id], set: { addTags: ['retest'] } }, reply: { data: { updated: 1 } } },
})

const ofFindings = redactableFileEndpointsOf({
  noun: 'Finding',
  name: 'a finding',
  path: '/findings/:findingId',
  params: { findingId: Id('fnd') },
  read: 'reports:read',
  write: 'reports:write',
  about: 'engagement',
  conflicts: [IN_TRASH],
})

export const uploadFindingFile = ofFindings.upload
export const listFindingFiles = ofFindings.list
export const downloadFindingFile = ofFindings.download
export const deleteFindingFile = ofFindings.remove

export const updateFindingFile = endpoint({
  id: 'updateFindingFile',
  method: 'PATCH',
  path: '/findings/:findingId/files/:fileId',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change the caption of a file of a finding, or its place.',
  description: 'Moving one file gives all files of the finding a place.',
  params: closedObject({ findingId: Id('fnd'), fileId: Id('fil') }),
  body: closedObject({
    caption: Type.Optional(Type.String({ maxLength: MAX_CAPTION, description: 'one line' })),
    position: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100_000, description: 'the new place, from 0; beyond the end: last' }),
    ),
  }),
  reply: one(StoredFile),
  conflicts: [ENGAGEMENT_ARCHIVED, IN_TRASH],
  example: {
    body: { caption: 'The answer names another customer.', position: 0 },
    reply: { data: { ...EXAMPLE_FILE, caption: 'The answer names another customer.', position: 0 } },
  },
})
