import Type from 'typebox'
import {
  CursorQuery,
  closedObject,
  cursorPage,
  endpoint,
  Id,
  Line,
  list,
  Nullable,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
  Timestamp,
  AuthorId,
} from '../core/endpoint.ts'
import { AnyOf, declareList, OneId } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'

export const IMPORT_FORMATS = [
  'nmap',
  'masscan',
  'naabu',
  'subfinder',
  'amass',
  'dnsx',
  'httpx',
  'tlsx',
  'nuclei',
  'burp',
  'burp-items',
  'nessus',
  'zap',
  'openvas',
  'qualys',
  'nexpose',
  'acunetix',
  'invicti',
  'nikto',
  'wpscan',
  'whatweb',
  'gowitness',
  'ffuf',
  'feroxbuster',
  'gobuster',
  'dirsearch',
  'katana',
  'urls',
  'testssl',
  'sslyze',
  'sslscan',
  'prowler',
  'sarif',
  'cyclonedx',
  'spdx',
  'openvex',
  'trivy',
  'grype',
  'semgrep',
  'gitleaks',
  'csv',
] as const
export const IMPORT_STATES = ['received', 'parsing', 'previewed', 'applied', 'partial', 'failed', 'undone'] as const

const UNDER_WAY = 'This import is running: wait until it has finished.'
const STORAGE_FULL = 'This organization may store 21474836480 bytes, including its files: delete some first.'

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const Counts = closedObject({
  results: closedObject({
    created: Count('seen for the first time'),
    unchanged: Count('seen unchanged'),
    changed: Count('seen with changes'),
    gone: Count('covered and no longer found'),
    reappeared: Count('found again after being gone'),
    older: Count('known from a later scan: kept unchanged'),
  }),
  targets: closedObject({ created: Count('targets that are new'), known: Count('targets that already existed') }),
  rejected: Count('entries of the file that are not results'),
  outOfScope: Count('entries that are out of scope'),
})

export const Import = closedObject({
  id: Id('imp'),
  engagementId: Id('eng'),
  fileName: Type.String(),
  size: Type.Integer({ minimum: 0, description: 'bytes' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64, description: 'of the uploaded bytes' }),
  format: Type.Unsafe<(typeof IMPORT_FORMATS)[number] | null>({
    type: ['string', 'null'],
    enum: [...IMPORT_FORMATS, null],
    description: 'detected from the content; null until the file was read',
  }),
  tool: NullableString('the program that wrote the file'),
  toolVersion: NullableString('its version, where the file says it'),
  mode: OneOf(['apply', 'preview']),
  state: OneOf(IMPORT_STATES),
  stateReason: NullableString('why it is partial or failed'),
  progress: Nullable(
    {
      done: Type.Integer({ minimum: 0 }),
      total: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 }),
    },
    'while it runs',
  ),
  counts: Counts,
  warnings: Type.Array(Type.String()),
  duplicateOf: NullableString('an earlier import of the same bytes'),
  createdBy: Nullable({ id: AuthorId(), name: Type.String() }, 'null for an API key'),
  seenAt: NullableTimestamp(
    'when it was seen: as given, otherwise as stated in the file, otherwise when the import started; null until then. Never after the upload',
  ),
  createdAt: Timestamp(),
  finishedAt: NullableTimestamp('when it ended'),
})

const EXAMPLE_ID = 'imp_01jd7w2v4pf1y8m3c6k9t0r5xz'
const EXAMPLE_IMPORT = {
  id: EXAMPLE_ID,
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  fileName: 'perimeter.xml',
  size: 48_213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  format: 'nmap',
  tool: 'nmap',
  toolVersion: '7.95',
  mode: 'apply',
  state: 'applied',
  stateReason: null,
  progress: null,
  counts: {
    results: { created: 14, unchanged: 0, changed: 0, gone: 0, reappeared: 0, older: 0 },
    targets: { created: 3, known: 0 },
    rejected: 0,
    outOfScope: 0,
  },
  warnings: [],
  duplicateOf: null,
  createdBy: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  seenAt: '2026-11-21T08:30:00.100Z',
  createdAt: '2026-11-21T08:30:00.000Z',
  finishedAt: '2026-11-21T08:30:01.000Z',
}

export const importList = declareList({
  name: 'imports',
  item: Import,
  sorts: ['createdAt'],
  filters: { engagementId: OneId('eng'), state: AnyOf(IMPORT_STATES), format: AnyOf(IMPORT_FORMATS) },
})

const OfImport = closedObject({ importId: Id('imp') })

const Wait = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 30, description: 'seconds to wait for the end; default 0' }),
)

export const createImport = endpoint({
  id: 'createImport',
  method: 'POST',
  path: '/imports',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Import a scanner file.',
  description:
    'The body is the file itself, plain or gzip. Its format is detected from the content. `preview` counts the changes and makes none until it is applied. Results that a file covers but does not contain are marked as gone: files of nmap, Nessus, OpenVAS and ZAP state their coverage; with `fullRescan` the file is complete for this tool and the hosts in it, and `covered` names the targets that it covers. See docs/imports.md.',
  query: closedObject({
    engagementId: Id('eng'),
    fileName: Line(255, { description: 'only shown and suggested to browsers; never part of a path' }),
    format: Type.Optional(
      OneOf(['auto', ...IMPORT_FORMATS], { description: 'default `auto`; a named one must match the content' }),
    ),
    mode: Type.Optional(OneOf(['apply', 'preview'], { description: 'default `apply`' })),
    fullRescan: Type.Optional(Type.Boolean({ description: 'the file is complete for this tool and the hosts in it' })),
    outOfScope: Type.Optional(
      OneOf(['mark', 'skip'], {
        description: '`mark` (the default) creates targets with the verdict `out`; `skip` rejects entries about them',
      }),
    ),
    covered: Type.Optional(
      Type.String({
        pattern: '^(?:all|tgt_[0-9a-z]{26}(?:,tgt_[0-9a-z]{26}){0,99})$',
        maxLength: 3_100,
        description: '`all`, or up to 100 ids of targets that the file covers',
      }),
    ),
    seenAt: Type.Optional(
      Timestamp(
        'when it was seen; default: the time that the file states, otherwise `writtenAt`, otherwise the time of the import',
      ),
    ),
    writtenAt: Type.Optional(Timestamp('when the file was written: used as `seenAt` if the file states no time')),
    mapping: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 2_000,
        examples: ['Finding:title,Risk:severity'],
        description: 'of a CSV: column:field, separated by commas',
      }),
    ),
    baseUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s]+$',
        maxLength: 2_000,
        examples: ['https://app.example.com/'],
        description: 'the address that was tested, for output that names no host, such as that of gobuster',
      }),
    ),
    loggedAs: Type.Optional(
      Type.String({
        pattern: '^[0-9A-Za-z_-]{8,64}$',
        maxLength: 64,
        description:
          'the `externalId` under which the operation log has the command that wrote the file: the import adds no entries of its own',
      }),
    ),
    wait: Wait,
  }),
  consumes: 'bytes',
  reply: one(Import),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED, STORAGE_FULL],
  example: { reply: { data: EXAMPLE_IMPORT } },
})

export const listImports = endpoint({
  id: 'listImports',
  method: 'GET',
  path: '/imports',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List imports.',
  query: importList.query,
  reply: importList.reply,
  example: { reply: { data: [EXAMPLE_IMPORT], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const ImportFormat = closedObject({
  id: OneOf(IMPORT_FORMATS),
  name: Type.String(),
  recognisedBy: Type.String({ description: 'how it is detected' }),
  knowsCoverage: Type.Boolean({ description: 'whether a file states its coverage' }),
})

export const listImportFormats = endpoint({
  id: 'listImportFormats',
  method: 'GET',
  path: '/imports/formats',
  scope: 'targets:read',
  about: 'either',
  origin: 'extension',
  summary: 'List the formats that can be imported.',
  reply: list(ImportFormat),
  example: {
    reply: {
      data: [
        {
          id: 'nmap',
          name: 'Nmap XML (-oX)',
          recognisedBy: 'XML whose root is nmaprun, written by nmap',
          knowsCoverage: true,
        },
      ],
    },
  },
})

export const getImport = endpoint({
  id: 'getImport',
  method: 'GET',
  path: '/imports/:importId',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Get an import.',
  params: OfImport,
  reply: one(Import),
  example: { reply: { data: EXAMPLE_IMPORT } },
})

export const applyImport = endpoint({
  id: 'applyImport',
  method: 'POST',
  path: '/imports/:importId/apply',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Apply a previewed import.',
  params: OfImport,
  query: closedObject({ wait: Wait }),
  reply: one(Import),
  conflicts: [ENGAGEMENT_ARCHIVED, UNDER_WAY, 'Only a previewed import can be applied.'],
  example: { reply: { data: EXAMPLE_IMPORT } },
})

export const undoImport = endpoint({
  id: 'undoImport',
  method: 'POST',
  path: '/imports/:importId/undo',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Undo an import.',
  description:
    'Removes what only this import added and restores what it changed. Results confirmed by other sources or edited since are kept.',
  params: OfImport,
  query: closedObject({ wait: Wait }),
  reply: one(Import),
  conflicts: [ENGAGEMENT_ARCHIVED, UNDER_WAY, 'Only an applied import can be undone.'],
  example: { reply: { data: { ...EXAMPLE_IMPORT, state: 'undone' } } },
})

export const deleteImport = endpoint({
  id: 'deleteImport',
  method: 'DELETE',
  path: '/imports/:importId',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete an import that failed, was only previewed or was undone, with its file and rejections.',
  params: OfImport,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('imp') })),
  conflicts: [ENGAGEMENT_ARCHIVED, UNDER_WAY, 'The results of this import still exist: undo it first.'],
  example: { reply: { data: { deleted: true, id: EXAMPLE_ID } } },
})

export const downloadImport = endpoint({
  id: 'downloadImport',
  method: 'GET',
  path: '/imports/:importId/file',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Download the file of an import.',
  params: OfImport,
  reply: Type.String(),
  produces: 'file',
})

export const Rejection = closedObject({
  position: Type.String({ examples: ['line 12'] }),
  excerpt: Type.String({ description: 'the start of the entry, at most 200 characters' }),
  reason: Type.String(),
})

export const listRejections = endpoint({
  id: 'listRejections',
  method: 'GET',
  path: '/imports/:importId/rejections',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List the entries of a file that could not be imported, in file order.',
  description: 'The first 10,000 are kept.',
  params: OfImport,
  query: closedObject({
    ...CursorQuery,
    perPage: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  }),
  reply: cursorPage(Rejection),
  example: {
    reply: {
      data: [{ position: 'line 12', excerpt: '{"ip":"300.1.1.1"', reason: 'ip is not an IP address' }],
      meta: { perPage: 20, nextCursor: null },
    },
  },
})
