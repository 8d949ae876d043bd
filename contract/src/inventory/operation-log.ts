import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Line,
  Nullable,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
  Timestamp,
} from '../core/endpoint.ts'
import { AnyId, AnyOf, declareList, LINES_BODY_BYTES, OneId, OrganizationFlag } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'

/**
 * The sender: a scan, an executed request, the tool whose file was imported, a person outside of this product, or a
 * program that `sortie run` started.
 */
export const OPERATION_KINDS = ['scan', 'request', 'import', 'manual', 'run'] as const

const NullablePort = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 1,
  maximum: 65_535,
  description: 'null if there are several or none',
})

export const Operation = closedObject({
  id: Id('opr'),
  engagementId: NullableString('the engagement; null for a request that was sent without one'),
  kind: OneOf(OPERATION_KINDS),
  scanId: NullableString('the scan that sent it'),
  runId: NullableString('the executed request that sent it'),
  importId: NullableString('the import whose file says so'),
  startedAt: Timestamp(),
  endedAt: NullableTimestamp('null where it is not known'),
  sourceAddress: NullableString('the address that it came from'),
  address: NullableString('the address that was reached'),
  host: NullableString('the name under which it was contacted'),
  port: NullablePort,
  ports: NullableString('`22,80,8000-8100`: where there are several'),
  protocol: NullableString('`tcp`, `udp`, `icmp`, `dns`, `http`, `https`, `socks5`'),
  by: Nullable({ id: Type.String(), name: Type.String() }, 'the person or API key; null where it is not known'),
  note: NullableString(
    'the note of an entry; for a request: why it was sent without an engagement, why it failed, and its proxy',
  ),
  command: NullableString('the command of a run, with secrets masked'),
  exitCode: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'of a run; null while it is not known, as after a crash',
  }),
  overrideReason: NullableString('why scope and testing hours were set aside for a run; null if they were not'),
})

export const EXAMPLE_OPERATION = {
  id: 'opr_01jd7w2v4pf1y8m3c6k9t0r5xz',
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  kind: 'scan',
  scanId: 'scn_01jd7w2v4pf1y8m3c6k9t0r5xz',
  runId: null,
  importId: null,
  startedAt: '2026-11-21T14:03:02.120Z',
  endedAt: '2026-11-21T14:03:58.004Z',
  sourceAddress: '198.51.100.7',
  address: '203.0.113.5',
  host: null,
  port: null,
  ports: '22,80,443,8000-8100',
  protocol: 'tcp',
  by: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  note: null,
  command: null,
  exitCode: null,
  overrideReason: null,
} as const

const filters = {
  engagementId: OneId('eng'),
  organization: OrganizationFlag,
  kind: AnyOf(OPERATION_KINDS),
  address: Type.String({
    minLength: 1,
    maxLength: 253,
    format: 'single-line',
    description: 'an address or a name, or a network such as `10.0.0.0/24`',
  }),
  at: Timestamp('traffic at that time, give or take a minute'),
  scanId: AnyId('scn'),
}

export const operationList = declareList({ name: 'operations', item: Operation, sorts: ['startedAt'], filters })
export const operationExport = declareList({
  name: 'operations-export',
  item: Operation,
  sorts: ['startedAt'],
  order: 'asc',
  filters,
  counted: false,
})

export const listOperations = endpoint({
  id: 'listOperations',
  method: 'GET',
  path: '/operations',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List traffic to client systems, newest first.',
  description:
    'Was that us, at 14:03, against 10.0.0.5? Scans have one row per address, protocol and minute; executed requests one per connection, and one per destination requested through a proxy; added entries one each, runs of `sortie run` one per address or name. Requests that were sent without an engagement are included, with the reason in `note`; `organization=true` lists only those. Rows are never changed or deleted.',
  query: operationList.query,
  reply: operationList.reply,
  example: { reply: { data: [EXAMPLE_OPERATION], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const exportOperations = endpoint({
  id: 'exportOperations',
  method: 'GET',
  path: '/operations/export',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Export the operation log as CSV, with the filters of the list.',
  query: closedObject(Type.Partial(closedObject(filters)).properties),
  reply: Type.String(),
  produces: { type: 'text/csv; charset=utf-8', fileName: 'operations.csv' },
  cost: { perHour: 60, atOnce: 2 },
})

/** Of one request: a body has at most 20,000 values, and a target up to five. */
const MAX_TARGETS = 3_000

/** Where something was sent. */
const reached = {
  address: Type.Optional(Line(64, { examples: ['203.0.113.5'], description: 'an address; this or `host` is needed' })),
  host: Type.Optional(Line(253, { examples: ['shop.example.com'] })),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  protocol: Type.Optional(Line(16, { examples: ['tcp'] })),
}

/** What a program calls something that it may send again. */
export const ExternalId = Type.String({
  pattern: '^[0-9A-Za-z_-]{8,64}$',
  maxLength: 64,
  examples: ['0b8f1c7e-5a0e-4f55-9f0e-3f1f6a1c2d3e-0'],
})

export const createOperation = endpoint({
  id: 'createOperation',
  method: 'POST',
  path: '/operations',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Add an entry for traffic that was sent from elsewhere.',
  body: closedObject({
    engagementId: Id('eng'),
    startedAt: Timestamp(),
    endedAt: Type.Optional(Timestamp('not before `startedAt`')),
    sourceAddress: Type.Optional(Line(64, { examples: ['198.51.100.7'], description: 'an address' })),
    ...reached,
    note: Type.Optional(Line(500, { examples: ['Checked the finding by hand from the office'] })),
  }),
  reply: one(Operation),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: {
    body: {
      engagementId: EXAMPLE_OPERATION.engagementId,
      startedAt: EXAMPLE_OPERATION.startedAt,
      address: '203.0.113.5',
      port: 443,
      protocol: 'tcp',
      note: 'Checked by hand',
    },
    reply: {
      data: {
        ...EXAMPLE_OPERATION,
        kind: 'manual',
        scanId: null,
        endedAt: null,
        sourceAddress: null,
        port: 443,
        ports: null,
        note: 'Checked by hand',
      },
    },
  },
})

export const createOperations = endpoint({
  id: 'createOperations',
  method: 'POST',
  path: '/operations/bulk',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Add what one command sent, with an entry for each address or name that it reached.',
  description:
    '`sortie run` uses it. All entries are added or none. Sent again with the same `externalId`, at any later time, it adds only what is missing.',
  body: closedObject({
    engagementId: Id('eng'),
    externalId: ExternalId,
    startedAt: Timestamp(),
    endedAt: Type.Optional(Timestamp('not before `startedAt`; absent where it is not known')),
    sourceAddress: Type.Optional(
      Line(64, { examples: ['198.51.100.7'], description: 'an address; default: the one that this request came from' }),
    ),
    command: Line(2_000, { examples: ['nmap -sV 203.0.113.5'], description: 'with secrets masked' }),
    exitCode: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    overrideReason: Type.Optional(Line(500, { description: 'why scope and testing hours were set aside' })),
    note: Type.Optional(Line(500)),
    targets: Type.Array(closedObject(reached), { minItems: 1, maxItems: MAX_TARGETS }),
  }),
  bodyLimits: { bytes: LINES_BODY_BYTES, keys: 5 * MAX_TARGETS + 100 },
  reply: one(closedObject({ created: Type.Integer({ minimum: 0 }), known: Type.Integer({ minimum: 0 }) })),
  status: 201,
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: {
    body: {
      engagementId: EXAMPLE_OPERATION.engagementId,
      externalId: '0b8f1c7e-5a0e-4f55-9f0e-3f1f6a1c2d3e-0',
      startedAt: EXAMPLE_OPERATION.startedAt,
      endedAt: EXAMPLE_OPERATION.endedAt,
      command: 'nmap -sV 203.0.113.5',
      exitCode: 0,
      targets: [{ address: '203.0.113.5' }],
    },
    reply: { data: { created: 1, known: 0 } },
  },
})
