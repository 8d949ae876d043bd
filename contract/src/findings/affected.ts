import Type from 'typebox'
import { closedObject, endpoint, Id, Line, NullableString, OneOf, one, Timestamp } from '../core/endpoint.ts'
import { AnyOf, declareList, MAX_LINES, LINES_BODY_BYTES, OneId, TOO_MANY_MATCH, withUndo } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED, VERDICTS } from '../core/values.ts'
import { resultList } from '../inventory/results.ts'
import { FindingUndo } from './bulk/finding-undo.ts'
import {
  ClientStatus,
  ClientStatusChange,
  EmptyLine,
  IN_TRASH,
  IN_TURN,
  OfFinding,
  REMEDIATION_STATUSES,
} from './finding-fields.ts'

/** Affected assets of one finding. */
export const MAX_AFFECTED = 10_000
const TOO_MANY = `A finding has at most ${MAX_AFFECTED} affected assets.`

const AssetLine = Line(1_000, { examples: ['https://shop.contoso.example/search'] })

export const AffectedAsset = closedObject({
  id: Id('aff'),
  findingId: Id('fnd'),
  asset: AssetLine,
  targetId: NullableString('the target that it is, or belongs to'),
  resultIds: Type.Array(Id('res'), { description: 'up to 100' }),
  verdict: OneOf(VERDICTS, { description: 'what the scope rules say about its target' }),
  note: EmptyLine(500),
  status: OneOf(REMEDIATION_STATUSES),
  clientStatus: ClientStatus,
  suggestedStatus: Type.Unsafe<'fixed' | null>({
    type: ['string', 'null'],
    enum: ['fixed', null],
    description:
      '`fixed` for an asset that is open, or partly so, and whose results are all fixed or gone; nothing changes by itself. null without `targets:read`',
  }),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
})

const ReturnedMeta = closedObject({
  returnedToReview: Type.Boolean({ description: 'whether the finding was approved, and needs a new review' }),
})

const EXAMPLE = {
  id: 'aff_01jd7w2v4pf1y8m3c6k9t0r5xz',
  findingId: 'fnd_01jd7w2v4pf1y8m3c6k9t0r5xz',
  asset: 'https://shop.contoso.example/search',
  targetId: 'tgt_01jd7w2v4pf1y8m3c6k9t0r5xz',
  resultIds: ['res_01jd7w2v4pf1y8m3c6k9t0r5xz'],
  verdict: 'in',
  note: '',
  status: 'open',
  clientStatus: null,
  suggestedStatus: null,
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}

const OfAsset = closedObject({ affectedId: Id('aff') })

export const affectedList = declareList({
  name: 'affected-assets',
  item: AffectedAsset,
  sorts: ['createdAt'],
  order: 'asc',
  filters: { engagementId: OneId('eng'), findingId: OneId('fnd'), status: AnyOf(REMEDIATION_STATUSES) },
})

/** The path names the finding. */
const { findingId: _finding, engagementId: _engagement, ...affectedQuery } = affectedList.query.properties

export const listAffected = endpoint({
  id: 'listAffected',
  method: 'GET',
  path: '/findings/:findingId/affected',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List the affected assets of a finding.',
  params: OfFinding,
  query: closedObject(affectedQuery),
  reply: affectedList.reply,
  example: { reply: { data: [EXAMPLE], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const addAffected = endpoint({
  id: 'addAffected',
  method: 'POST',
  path: '/findings/:findingId/affected',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Add affected assets to a finding: lines, targets or results.',
  description:
    'Give exactly one of the four. `resultFilter` has the filters of the list of results. An asset is unique by its line within the finding: more results at one asset count as `known`, and are linked to it. Results also need `targets:read`. An approved finding returns to review.',
  params: OfFinding,
  body: closedObject({
    assets: Type.Optional(Type.Array(AssetLine, { minItems: 1, maxItems: MAX_LINES })),
    targetIds: Type.Optional(Type.Array(Id('tgt'), { minItems: 1, maxItems: 1_000 })),
    resultIds: Type.Optional(Type.Array(Id('res'), { minItems: 1, maxItems: 1_000 })),
    resultFilter: Type.Optional(resultList.filter),
  }),
  bodyLimits: { bytes: LINES_BODY_BYTES },
  responseTimeout: IN_TURN,
  reply: closedObject({
    data: closedObject({ created: Type.Integer({ minimum: 0 }), known: Type.Integer({ minimum: 0 }) }),
    meta: ReturnedMeta,
  }),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, IN_TRASH, TOO_MANY],
  example: {
    body: { assets: [EXAMPLE.asset] },
    reply: { data: { created: 1, known: 0 }, meta: { returnedToReview: false } },
  },
})

export const updateAffected = endpoint({
  id: 'updateAffected',
  method: 'PATCH',
  path: '/affected/:affectedId',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change an affected asset.',
  description: 'Renaming it returns an approved finding to review; status and note do not.',
  params: OfAsset,
  body: closedObject({
    asset: Type.Optional(AssetLine),
    note: Type.Optional(EmptyLine(500)),
    status: Type.Optional(OneOf(REMEDIATION_STATUSES)),
    clientStatus: Type.Optional(ClientStatusChange),
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change is based on')),
  }),
  reply: closedObject({ data: AffectedAsset, meta: ReturnedMeta }),
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    IN_TRASH,
    'This asset was changed in the meantime. Read it again, then repeat the change.',
    'The finding already has this asset.',
  ],
  example: {
    body: { status: 'fixed' },
    reply: { data: { ...EXAMPLE, status: 'fixed' }, meta: { returnedToReview: false } },
  },
})

export const deleteAffected = endpoint({
  id: 'deleteAffected',
  method: 'DELETE',
  path: '/affected/:affectedId',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Remove an affected asset from its finding. An approved finding returns to review.',
  params: OfAsset,
  reply: closedObject({ data: closedObject({ deleted: Type.Boolean(), id: Id('aff') }), meta: ReturnedMeta }),
  conflicts: [ENGAGEMENT_ARCHIVED, IN_TRASH],
  example: { reply: { data: { deleted: true, id: EXAMPLE.id }, meta: { returnedToReview: true } } },
})

export const bulkUpdateAffected = endpoint({
  id: 'bulkUpdateAffected',
  method: 'POST',
  path: '/affected/bulk-update',
  scope: 'reports:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Apply one change to many affected assets.',
  body: closedObject({
    ids: Type.Optional(Type.Array(Id('aff'), { minItems: 1, maxItems: 1_000 })),
    filter: Type.Optional(affectedList.filter),
    set: closedObject({
      status: Type.Optional(OneOf(REMEDIATION_STATUSES)),
      note: Type.Optional(EmptyLine(500)),
      clientStatus: Type.Optional(ClientStatusChange),
    }),
    ...withUndo('undo'),
  }),
  reply: one(
    closedObject({
      updated: Type.Integer({ minimum: 0, description: 'assets that were found' }),
      undo: Type.Optional(
        Type.Array(FindingUndo, { description: 'the former statuses, for `POST /findings/bulk-revert`' }),
      ),
    }),
  ),
  conflicts: [ENGAGEMENT_ARCHIVED, IN_TRASH, TOO_MANY_MATCH],
  example: { body: { ids: [EXAMPLE.id], set: { status: 'fixed' } }, reply: { data: { updated: 1 } } },
})
