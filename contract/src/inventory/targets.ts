import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Line,
  Markdown,
  NullableString,
  NullableTimestamp,
  one,
  OneOf,
  Timestamp,
} from '../core/endpoint.ts'
import {
  AnyId,
  AnyOf,
  AnyText,
  declareList,
  Lines,
  LINES_BODY_BYTES,
  OneId,
  PartOfText,
  TrashFlag,
} from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED, SEVERITIES, TARGET_KINDS, VERDICTS } from '../core/values.ts'
import { FieldFilter, Fields, FieldsChange } from '../custom-fields/fields.ts'

/** In the order of their weight. */
export const CRITICALITIES = ['none', 'low', 'medium', 'high', 'critical'] as const
export const TARGET_SOURCES = ['manual', 'import', 'scan', 'api'] as const

const KNOWN = 'A target of this kind and value already exists.'
const LIMIT = 'An engagement has at most 100000 targets (TARGET_LIMIT).'
const STALE = 'Someone else changed this target in the meantime. Reload it, then repeat the change.'

const Tag = Type.String({ minLength: 1, maxLength: 64, format: 'single-line', pattern: '^[^,]*$', examples: ['dmz'] })
export const Tags = (description: string) => Type.Array(Tag, { maxItems: 50, uniqueItems: true, description })
const Notes = Markdown(10_000)
const ParentId = Type.Unsafe<string | null>({
  ...Id('tgt'),
  type: ['string', 'null'],
  description: 'a target of the same engagement that this one belongs to',
})

export const Target = closedObject({
  id: Id('tgt'),
  engagementId: Id('eng'),
  kind: OneOf(TARGET_KINDS),
  value: Type.String({ description: 'as entered' }),
  canonical: Type.String({ description: 'the form by which values are compared' }),
  verdict: OneOf(VERDICTS, { description: 'verdict of the scope rules' }),
  scopeRuleId: NullableString('the rule that decided; null if none covers it'),
  tags: Type.Array(Type.String()),
  criticality: OneOf(CRITICALITIES),
  notes: Notes,
  source: OneOf(TARGET_SOURCES),
  parentId: NullableString('the target that it belongs to'),
  fields: Fields,
  firstSeenAt: NullableTimestamp('null until it is seen'),
  lastSeenAt: NullableTimestamp('null until it is seen'),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
  trashedAt: NullableTimestamp('when it was moved to the trash'),
})

/** A target in its list, with what is known about it. */
export const ListedTarget = closedObject({
  ...Target.properties,
  services: Type.Optional(Type.Integer({ minimum: 0, description: 'open ports that are present' })),
  vulnerabilities: Type.Optional(Type.Integer({ minimum: 0, description: 'open and confirmed ones' })),
  worstSeverity: Type.Optional(
    Type.Unsafe<(typeof SEVERITIES)[number] | null>({
      type: ['string', 'null'],
      enum: [...SEVERITIES, null],
      description: 'of these vulnerabilities; null without any, and where none is rated',
    }),
  ),
})

export const EXAMPLE_TARGET = {
  id: 'tgt_01jd7w2v4pf1y8m3c6k9t0r5xz',
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  kind: 'url',
  value: 'HTTPS://Shop.Contoso.example:443/a/../login#top',
  canonical: 'https://shop.contoso.example/login',
  verdict: 'in',
  scopeRuleId: 'scp_01jd7w2v4pf1y8m3c6k9t0r5xz',
  tags: ['shop'],
  criticality: 'high',
  notes: '',
  source: 'manual',
  parentId: null,
  fields: {},
  firstSeenAt: null,
  lastSeenAt: null,
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
  trashedAt: null,
}

const filters = {
  engagementId: OneId('eng'),
  kind: AnyOf(TARGET_KINDS),
  verdict: AnyOf(VERDICTS),
  tag: AnyText(64),
  criticality: AnyOf(CRITICALITIES),
  source: AnyOf(TARGET_SOURCES),
  parentId: AnyId('tgt', { orNone: true }),
  field: FieldFilter,
  q: PartOfText('part of the value, of its canonical form or of a tag'),
}

const TARGET_SORTS = ['createdAt', 'canonical', 'lastSeenAt', 'criticality'] as const

export const targetList = declareList({
  name: 'targets',
  item: ListedTarget,
  sorts: TARGET_SORTS,
  filters: { ...filters, trashed: TrashFlag },
  facets: ['kind', 'verdict', 'tag', 'criticality', 'source'],
})

export const targetExport = declareList({
  name: 'targets-export',
  item: Target,
  sorts: ['canonical'],
  order: 'asc',
  filters,
  counted: false,
})

const OfTarget = closedObject({ targetId: Id('tgt') })

export const createTarget = endpoint({
  id: 'createTarget',
  method: 'POST',
  path: '/targets',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Create a target.',
  description:
    'The kind is detected from the value; `cloud`, `repository` and `other` must be given. Any other `kind` must match the value. Ambiguous values (`127.1`, credentials in a URL) are refused with what to write instead.',
  body: closedObject({
    engagementId: Id('eng'),
    value: Line(4_096, { examples: ['https://shop.contoso.example/login'] }),
    kind: Type.Optional(OneOf(TARGET_KINDS)),
    tags: Type.Optional(Tags('without commas; letter case counts')),
    criticality: Type.Optional(OneOf(CRITICALITIES, { description: 'default `none`' })),
    notes: Type.Optional(Notes),
    parentId: Type.Optional(ParentId),
    fields: Type.Optional(FieldsChange),
  }),
  reply: one(Target),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, KNOWN, LIMIT],
  example: {
    body: {
      engagementId: EXAMPLE_TARGET.engagementId,
      value: EXAMPLE_TARGET.value,
      tags: ['shop'],
      criticality: 'high',
    },
    reply: { data: EXAMPLE_TARGET },
  },
})

export const listTargets = endpoint({
  id: 'listTargets',
  method: 'GET',
  path: '/targets',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List targets, newest first unless asked otherwise.',
  description: 'By `canonical`, addresses and networks come first, in address order.',
  query: targetList.query,
  reply: targetList.reply,
  example: {
    reply: {
      data: [{ ...EXAMPLE_TARGET, services: 2, vulnerabilities: 3, worstSeverity: 'high' }],
      meta: { perPage: 20, nextCursor: null, total: 1 },
    },
  },
})

export const countTargets = endpoint({
  id: 'countTargets',
  method: 'GET',
  path: '/targets/facets',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Count targets by kind, verdict, tag, criticality or source.',
  query: targetList.facetsQuery,
  reply: targetList.facetsReply,
  example: { reply: { data: { verdict: { in: 120, out: 4, caution: 1, unknown: 0 } } } },
})

export const exportTargets = endpoint({
  id: 'exportTargets',
  method: 'GET',
  path: '/targets/export',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Export targets as CSV, JSON or text.',
  description:
    'Takes the filters of the list; the order is that of canonical forms. `txt` has the canonical values, one per line, as scanners read them. In CSV, cells that a spreadsheet would run begin with an apostrophe.',
  query: closedObject({ ...Type.Partial(closedObject(filters)).properties, format: OneOf(['csv', 'json', 'txt']) }),
  reply: Type.String(),
  produces: {
    byFormat: {
      csv: { type: 'text/csv; charset=utf-8', fileName: 'targets.csv' },
      json: { type: 'application/json; charset=utf-8', fileName: 'targets.json' },
      txt: { type: 'text/plain; charset=utf-8', fileName: 'targets.txt' },
    },
  },
  cost: { perHour: 120, atOnce: 4 },
  example: { reply: { data: [EXAMPLE_TARGET] } },
})

export const getTarget = endpoint({
  id: 'getTarget',
  method: 'GET',
  path: '/targets/:targetId',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Read one target.',
  params: OfTarget,
  reply: one(Target),
  example: { reply: { data: EXAMPLE_TARGET } },
})

export const updateTarget = endpoint({
  id: 'updateTarget',
  method: 'PATCH',
  path: '/targets/:targetId',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change the tags, the criticality, the notes or the parent of a target.',
  params: OfTarget,
  body: closedObject({
    tags: Type.Optional(Tags('replace the tags that it has')),
    criticality: Type.Optional(OneOf(CRITICALITIES)),
    notes: Type.Optional(Notes),
    parentId: Type.Optional(ParentId),
    fields: Type.Optional(FieldsChange),
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change was made from')),
  }),
  reply: one(Target),
  conflicts: [ENGAGEMENT_ARCHIVED, STALE],
  example: { body: { criticality: 'critical' }, reply: { data: { ...EXAMPLE_TARGET, criticality: 'critical' } } },
})

export const deleteTarget = endpoint({
  id: 'deleteTarget',
  method: 'DELETE',
  path: '/targets/:targetId',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete a target.',
  description: 'It stays in the trash for 30 days. Its children are kept, without a parent.',
  params: OfTarget,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('tgt') })),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { reply: { data: { deleted: true, id: EXAMPLE_TARGET.id } } },
})

const TargetLine = closedObject({
  line: Type.Integer({ minimum: 1 }),
  input: Type.String(),
  outcome: OneOf(['created', 'known', 'rejected']),
  targetId: NullableString('null where it was rejected'),
  reason: NullableString('why it was rejected'),
})

export const createTargets = endpoint({
  id: 'createTargets',
  method: 'POST',
  path: '/targets/bulk',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Create targets from pasted lines.',
  description:
    'One value per line, as people paste them: `hxxp://`, `[.]`, quotes and trailing commas are undone. Invalid lines are rejected with a reason, the others are added. Existing targets are `known` and unchanged.',
  body: closedObject({
    engagementId: Id('eng'),
    text: Lines('one value per line'),
    tags: Type.Optional(Tags('of the targets that are created')),
  }),
  bodyLimits: { bytes: LINES_BODY_BYTES },
  reply: one(
    closedObject({
      created: Type.Integer({ minimum: 0 }),
      known: Type.Integer({ minimum: 0 }),
      rejected: Type.Integer({ minimum: 0 }),
      lines: Type.Array(TargetLine),
    }),
  ),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, LIMIT],
  example: {
    body: {
      engagementId: EXAMPLE_TARGET.engagementId,
      text: 'hxxps://shop.contoso[.]example/login,\n127.1',
      tags: ['shop'],
    },
    reply: {
      data: {
        created: 1,
        known: 0,
        rejected: 1,
        lines: [
          {
            line: 1,
            input: 'hxxps://shop.contoso[.]example/login,',
            outcome: 'created',
            targetId: EXAMPLE_TARGET.id,
            reason: null,
          },
          {
            line: 2,
            input: '127.1',
            outcome: 'rejected',
            targetId: null,
            reason:
              'an address is written as four decimal numbers; programs read this one in different ways, browsers as 127.0.0.1',
          },
        ],
      },
    },
  },
})
