import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Line,
  Markdown,
  Nullable,
  NullableDay,
  NullableString,
  NullableTimestamp,
  one,
  OneOf,
  Pasted,
  Timestamp,
  AuthorId,
} from '../core/endpoint.ts'
import { fileEndpointsOf } from '../core/files.ts'
import {
  AnyId,
  AnyInteger,
  AnyOf,
  AnyText,
  DayOrTime,
  declareList,
  OneId,
  PartOfText,
  TrashFlag,
} from '../core/lists.ts'
import {
  ENGAGEMENT_ARCHIVED,
  RESULT_KINDS,
  RESULT_STATES,
  RESULT_STATUSES,
  SEVERITIES,
  VERDICTS,
} from '../core/values.ts'

const STALE = 'Someone else changed this result in the meantime. Reload it, then repeat the change.'

export const NullableOf = <const W extends readonly string[]>(words: W, description: string) =>
  Type.Unsafe<W[number] | null>({ type: ['string', 'null'], enum: [...words, null], description })

const Tag = Type.String({ minLength: 1, maxLength: 64, pattern: '^[^,]+$', format: 'single-line' })
export const Tags = Type.Array(Tag, { maxItems: 50 })
const Person = (description: string) => Nullable({ id: AuthorId(), name: Type.String() }, description)
export const Notes = Markdown(20_000)

/** The reported fields, by kind; every field is optional. */
const Data = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description:
    'by kind; see docs/features/imports.md. Lists leave out long fields: request, response, exchanges, evidence, scripts, banner, code flows, ciphers and traceroute',
})

export const Result = closedObject({
  id: Id('res'),
  engagementId: Id('eng'),
  kind: OneOf(RESULT_KINDS),
  asset: Type.String({ description: 'one line', examples: ['10.0.0.5:443/tcp'] }),
  targetId: NullableString('the target that it belongs to: the one nearest to its location'),
  title: Type.String(),
  severity: NullableOf(SEVERITIES, 'null if not set'),
  status: NullableOf(RESULT_STATUSES, 'only for vulnerabilities'),
  state: OneOf(RESULT_STATES),
  verdict: OneOf(VERDICTS, {
    description: 'of its target, or of its own location if the scope rules decide differently there',
  }),
  data: Data,
  tools: Type.Array(Type.String(), { description: 'tools that saw it' }),
  tags: Type.Array(Type.String()),
  assignee: Person('null: unassigned'),
  notes: Type.String(),
  acceptedUntil: NullableDay('an accepted risk reopens after this day; null: never'),
  reopenedAt: NullableTimestamp('when a fixed one was seen again'),
  includes: Type.Array(Type.String(), { description: 'results that a finding added by hand includes' }),
  retestOf: NullableString('the result that it retests'),
  firstSeenAt: Timestamp(),
  lastSeenAt: Timestamp(),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
  trashedAt: NullableTimestamp('when it was moved to the trash'),
})

export const EXAMPLE_ID = 'res_01jd7w2v4pf1y8m3c6k9t0r5xz'
export const EXAMPLE_RESULT = {
  id: EXAMPLE_ID,
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  kind: 'service',
  asset: '10.0.0.5:443/tcp',
  targetId: null,
  title: 'https (nginx 1.25.3)',
  severity: null,
  status: null,
  state: 'present',
  verdict: 'unknown',
  data: {
    address: '10.0.0.5',
    protocol: 'tcp',
    port: 443,
    state: 'open',
    name: 'https',
    product: 'nginx',
    version: '1.25.3',
  },
  tools: ['nmap'],
  tags: [],
  assignee: null,
  notes: '',
  acceptedUntil: null,
  reopenedAt: null,
  includes: [],
  retestOf: null,
  firstSeenAt: '2026-11-21T08:30:00.000Z',
  lastSeenAt: '2026-11-21T08:30:00.000Z',
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
  trashedAt: null,
}
const EXAMPLE_VULNERABILITY = {
  ...EXAMPLE_RESULT,
  kind: 'vulnerability',
  asset: 'https://portal.example.com',
  title: 'Stored cross-site scripting in comments',
  severity: 'medium',
  status: 'open',
  data: {
    cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N',
    cvssScore: 5.4,
    description: 'A comment runs as script.',
  },
  tools: [],
}

export const resultList = declareList({
  name: 'results',
  item: Result,
  sorts: ['createdAt', 'severity', 'lastSeenAt', 'firstSeenAt', 'asset'],
  filters: {
    engagementId: OneId('eng'),
    kind: AnyOf(RESULT_KINDS),
    state: AnyOf(RESULT_STATES),
    severity: AnyOf(SEVERITIES, { orNone: true }),
    status: AnyOf(RESULT_STATUSES),
    targetId: AnyId('tgt', { orNone: true }),
    assigneeId: AnyId('usr', { orNone: true, orMe: true }),
    tool: AnyText(100, 'seen by one of these tools'),
    tag: AnyText(64),
    scanId: AnyId('scn', { description: 'seen by one of these scans' }),
    importId: AnyId('imp', { description: 'seen by one of these imports' }),
    verdict: AnyOf(VERDICTS),
    port: AnyInteger(1, 65_535),
    ruleId: AnyText(1_000, 'reported under one of these rules of a tool'),
    cwe: AnyText(11, 'with one of these weaknesses'),
    findingId: AnyId('fnd', {
      orNone: true,
      description: 'part of one of these findings; `none` also if they are in the trash',
    }),
    resultId: AnyId('res', { description: 'only these results' }),
    seenSince: DayOrTime('last seen at this time or later'),
    q: PartOfText('part of asset or title'),
    trashed: TrashFlag,
  },
  facets: ['kind', 'state', 'severity', 'status', 'verdict', 'tool'],
})

const Vulnerability = Type.Partial(
  closedObject({
    ruleId: Line(1_000),
    location: Line(4_096),
    description: Pasted(64_000),
    solution: Pasted(64_000),
    references: Type.Array(Line(2_000), { maxItems: 100 }),
    cve: Type.Array(Type.String({ pattern: '^CVE-\\d{4}-\\d{4,19}$', maxLength: 30, examples: ['CVE-2021-44228'] }), {
      maxItems: 100,
    }),
    cwe: Type.Array(Type.String({ pattern: '^CWE-\\d{1,6}$', maxLength: 10, examples: ['CWE-79'] }), { maxItems: 100 }),
    cvssVector: Type.String({
      maxLength: 400,
      examples: ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
      description: 'CVSS 3.0, 3.1 or 4.0: it is checked and scored',
    }),
    request: Pasted(64_000),
    response: Pasted(64_000),
    evidence: Type.Array(Pasted(4_096), { maxItems: 50 }),
    confidence: Line(100),
  }),
  { additionalProperties: false },
)

export const createResult = endpoint({
  id: 'createResult',
  method: 'POST',
  path: '/results',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Add a vulnerability by hand.',
  description:
    'One of `asset` and `targetId` states its location. The severity is computed from `data.cvssVector` unless given; 422 without both. `includes` lists results of the same engagement.',
  body: closedObject({
    engagementId: Id('eng'),
    title: Line(500),
    asset: Type.Optional(Line(1_000)),
    targetId: Type.Optional(Id('tgt')),
    severity: Type.Optional(OneOf(SEVERITIES)),
    data: Type.Optional(Vulnerability),
    notes: Type.Optional(Notes),
    tags: Type.Optional(Tags),
    includes: Type.Optional(Type.Array(Id('res'), { maxItems: 1_000 })),
    retestOf: Type.Optional(Id('res')),
  }),
  reply: one(Result),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, 'An engagement has at most 1000000 results (RESULT_LIMIT).'],
  example: {
    body: {
      engagementId: EXAMPLE_RESULT.engagementId,
      title: EXAMPLE_VULNERABILITY.title,
      asset: EXAMPLE_VULNERABILITY.asset,
      data: { cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N', description: 'A comment runs as script.' },
    },
    reply: { data: EXAMPLE_VULNERABILITY },
  },
})

export const listResults = endpoint({
  id: 'listResults',
  method: 'GET',
  path: '/results',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List results.',
  query: resultList.query,
  reply: resultList.reply,
  example: { reply: { data: [EXAMPLE_RESULT], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const countResults = endpoint({
  id: 'countResults',
  method: 'GET',
  path: '/results/facets',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Count results by value of a filter.',
  query: resultList.facetsQuery,
  reply: resultList.facetsReply,
  example: { reply: { data: { state: { present: 41, gone: 2 } } } },
})

export const exportResults = endpoint({
  id: 'exportResults',
  method: 'GET',
  path: '/results/export',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Download results as CSV or JSON.',
  description: 'The filters are those of the list. Cells that a spreadsheet would run begin with an apostrophe.',
  query: closedObject({
    format: OneOf(['csv', 'json']),
    ...Type.Omit(resultList.query, ['cursor', 'perPage', 'sort', 'order']).properties,
  }),
  reply: Type.String(),
  produces: {
    byFormat: {
      csv: { type: 'text/csv; charset=utf-8', fileName: 'results.csv' },
      json: { type: 'application/json; charset=utf-8', fileName: 'results.json' },
    },
  },
  cost: { perHour: 120, atOnce: 4 },
  example: { reply: { data: [EXAMPLE_RESULT] } },
})

export const getResult = endpoint({
  id: 'getResult',
  method: 'GET',
  path: '/results/:resultId',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Get a result.',
  params: closedObject({ resultId: Id('res') }),
  reply: one(Result),
  example: { reply: { data: EXAMPLE_RESULT } },
})

export const getResultExcerpt = endpoint({
  id: 'getResultExcerpt',
  method: 'GET',
  path: '/results/:resultId/excerpt',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Read the recorded proof of a result as findings show it: without credentials and cookies.',
  description:
    'Requests, responses, evidence and output as one text. The values of `Authorization`, `Cookie` and `Set-Cookie` headers are replaced by `••••` wherever they occur. At most the first 256 Ki characters.',
  params: closedObject({ resultId: Id('res') }),
  reply: one(
    closedObject({
      title: Type.String(),
      asset: Type.String(),
      text: Type.String({ description: 'empty without a recorded proof' }),
      isCut: Type.Boolean({ description: 'whether the proof is longer' }),
    }),
  ),
  example: {
    reply: {
      data: {
        title: EXAMPLE_VULNERABILITY.title,
        asset: EXAMPLE_VULNERABILITY.asset,
        text: 'GET /comments HTTP/1.1\r\nCookie: session=••••',
        isCut: false,
      },
    },
  },
})

export const updateResult = endpoint({
  id: 'updateResult',
  method: 'PATCH',
  path: '/results/:resultId',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change the status, severity, assignee and other user fields of a result.',
  description:
    'These fields survive every import and scan. `title`, `asset` and `data` apply only to vulnerabilities added by hand; `status` and `acceptedUntil` only to vulnerabilities.',
  params: closedObject({ resultId: Id('res') }),
  body: closedObject({
    status: Type.Optional(OneOf(RESULT_STATUSES)),
    severity: Type.Optional(OneOf(SEVERITIES)),
    assigneeId: Type.Optional(Type.Unsafe<string | null>({ ...Id('usr'), type: ['string', 'null'] })),
    notes: Type.Optional(Notes),
    tags: Type.Optional(Tags),
    acceptedUntil: Type.Optional(NullableDay('only with the status accepted')),
    title: Type.Optional(Line(500)),
    asset: Type.Optional(Line(1_000)),
    data: Type.Optional(Vulnerability),
    ifUpdatedAt: Type.Optional(Timestamp('the updatedAt that the change was made from')),
  }),
  reply: one(Result),
  conflicts: [ENGAGEMENT_ARCHIVED, STALE],
  example: { body: { status: 'confirmed' }, reply: { data: { ...EXAMPLE_VULNERABILITY, status: 'confirmed' } } },
})

export const deleteResult = endpoint({
  id: 'deleteResult',
  method: 'DELETE',
  path: '/results/:resultId',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete a vulnerability that was added by hand.',
  description: 'It stays in the trash for 30 days: `POST /results/bulk-restore` restores it.',
  params: closedObject({ resultId: Id('res') }),
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('res') })),
  conflicts: [ENGAGEMENT_ARCHIVED, 'A tool saw this result: only results added by hand can be deleted one by one.'],
  example: { reply: { data: { deleted: true, id: EXAMPLE_ID } } },
})

const evidence = fileEndpointsOf({
  noun: 'Result',
  name: 'a result',
  path: '/results/:resultId',
  params: { resultId: Id('res') },
  read: 'targets:read',
  write: 'targets:write',
  about: 'engagement',
})

export const uploadResultFile = evidence.upload
export const listResultFiles = evidence.list
export const downloadResultFile = evidence.download
export const deleteResultFile = evidence.remove
