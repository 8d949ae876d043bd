import Type from 'typebox'
import {
  closedObject,
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
} from '../core/endpoint.ts'
import { IN_SAFE_MODE } from '../core/errors.ts'
import { AnyOf, declareList, OneId, selectionOf } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { DIFF_CHANGES, Moment } from './result-history.ts'
import { targetList } from './targets.ts'

export const SCAN_STATES = ['queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled'] as const
export const SCAN_TRIGGERS = ['manual', 'schedule', 'key'] as const
/** Scanners of this product; an instance reports which of them it can run. */
export const SCANNER_IDS = ['dns', 'ports', 'http', 'tls', 'nmap'] as const
export const DNS_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'CAA', 'PTR'] as const
export const NMAP_PROFILES = ['quick', 'full', 'udp', 'version'] as const

const NOT_ACTIVE = 'This engagement is not active: scans run only in active engagements.'
const OUT_OF_SCOPE =
  'shop.example.com is out of scope (rule "shop.example.com"): leave it out, or skip what is out of scope.'
const OUTSIDE_HOURS = 'It is outside the testing hours: the next window begins on 2026-11-23 at 20:00 (Europe/Berlin).'
const QUEUE_FULL =
  '100 scans of this organization are already waiting (SCAN_QUEUE_LIMIT). Wait until some have finished, or cancel one.'
const TOO_LARGE =
  'This scan is too large: 131072000 probes, and at most 20000000 are allowed (SCAN_MAX_PROBES). Choose fewer addresses or ports.'
const NO_TARGETS = 'There is nothing to scan: no target matches.'
const NOT_AVAILABLE = 'The scanner nmap is not available here: the program nmap is not installed.'
const STARTING = [
  ENGAGEMENT_ARCHIVED,
  NOT_ACTIVE,
  OUT_OF_SCOPE,
  OUTSIDE_HOURS,
  TOO_LARGE,
  QUEUE_FULL,
  NO_TARGETS,
  NOT_AVAILABLE,
  IN_SAFE_MODE,
]

/** Options of all scanners; each accepts its own, and refuses the others. */
const ScannerOptions = closedObject({
  types: Type.Optional(
    Type.Array(OneOf(DNS_TYPES), {
      minItems: 1,
      uniqueItems: true,
      maxItems: DNS_TYPES.length,
      description: 'dns: which records',
    }),
  ),
  addTargets: Type.Optional(
    Type.Boolean({ description: 'dns, tls: names and addresses that are found and in scope become targets' }),
  ),
  ports: Type.Optional(
    Type.String({
      pattern: '^(?:top-100|top-1000|all|[0-9]{1,5}(?:-[0-9]{1,5})?(?:,[0-9]{1,5}(?:-[0-9]{1,5})?){0,199})$',
      maxLength: 2_400,
      examples: ['22,80,8000-8100'],
      description: 'ports: `top-100`, `top-1000`, `all`, or a list',
    }),
  ),
  rate: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_000, description: 'ports: connections per second; default 200' }),
  ),
  timeoutMs: Type.Optional(
    Type.Integer({ minimum: 100, maximum: 30_000, description: 'ports, http, tls: milliseconds for each connection' }),
  ),
  followRedirects: Type.Optional(Type.Boolean({ description: 'http: also to other hosts that are in scope' })),
  profile: Type.Optional(OneOf(NMAP_PROFILES, { description: 'nmap: what it runs' })),
})

export const ScanStep = closedObject({ id: OneOf(SCANNER_IDS), options: Type.Optional(ScannerOptions) })

const Steps = Type.Array(ScanStep, {
  minItems: 1,
  maxItems: 5,
  description: 'run in this order, each on what the earlier ones found',
})

const Diff = closedObject({
  from: Moment,
  to: Type.Optional(Moment),
  changes: Type.Array(OneOf(DIFF_CHANGES), { minItems: 1, uniqueItems: true, maxItems: DIFF_CHANGES.length }),
})

const { ids, filter } = selectionOf(targetList, 'tgt')

/** The targets of a scan: one of the three. */
const ScanTargets = closedObject(
  { ids, filter, diff: Type.Optional(Diff) },
  { description: 'one of the three: target ids, a filter of targets, or the targets of a comparison' },
)

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const Scan = closedObject({
  id: Id('scn'),
  engagementId: Id('eng'),
  name: Type.String(),
  scanners: Type.Array(ScanStep),
  targets: ScanTargets,
  state: OneOf(SCAN_STATES),
  stateReason: NullableString('why it is partial, failed or cancelled'),
  progress: Nullable(
    {
      done: Type.Integer({ minimum: 0 }),
      total: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 }),
    },
    'while it runs',
  ),
  counts: closedObject({
    created: Count('seen for the first time'),
    unchanged: Count('seen unchanged'),
    changed: Count('seen with changes'),
    gone: Count('covered and no longer found'),
    reappeared: Count('found again after being gone'),
    skipped: Count('targets and addresses that were left out'),
  }),
  trigger: OneOf(SCAN_TRIGGERS),
  scheduleId: NullableString('the schedule that started it'),
  override: Nullable({ reason: Type.String() }, 'why scope and testing hours were overridden'),
  requestedBy: Nullable({ id: Type.String(), name: Type.String() }, 'null for an API key'),
  createdAt: Timestamp(),
  startedAt: NullableTimestamp('when it began'),
  finishedAt: NullableTimestamp('when it ended'),
})

const EXAMPLE_ID = 'scn_01jd7w2v4pf1y8m3c6k9t0r5xz'
export const EXAMPLE_SCAN = {
  id: EXAMPLE_ID,
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  name: 'Recon of the perimeter',
  scanners: [{ id: 'dns' }, { id: 'ports', options: { ports: 'top-100', rate: 200 } }, { id: 'http' }, { id: 'tls' }],
  targets: { filter: { engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz', tag: ['perimeter'] } },
  state: 'succeeded',
  stateReason: null,
  progress: null,
  counts: { created: 14, unchanged: 52, changed: 1, gone: 1, reappeared: 0, skipped: 0 },
  trigger: 'manual',
  scheduleId: null,
  override: null,
  requestedBy: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  createdAt: '2026-11-21T08:30:00.000Z',
  startedAt: '2026-11-21T08:30:01.000Z',
  finishedAt: '2026-11-21T08:34:12.000Z',
}

export const scanList = declareList({
  name: 'scans',
  item: Scan,
  sorts: ['createdAt'],
  filters: { engagementId: OneId('eng'), state: AnyOf(SCAN_STATES), scanner: AnyOf(SCANNER_IDS) },
})

const OfScan = closedObject({ scanId: Id('scn') })

export const Scanner = closedObject({
  id: OneOf(SCANNER_IDS),
  name: Type.String(),
  description: Type.String(),
  takes: Type.Array(OneOf(['domain', 'ip', 'cidr', 'url', 'service']), { description: 'kinds of targets' }),
  produces: Type.Array(Type.String(), { description: 'kinds of results' }),
  options: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'a JSON Schema',
  }),
  available: Type.Boolean(),
  reason: NullableString('why it is not available'),
})

export const listScanners = endpoint({
  id: 'listScanners',
  method: 'GET',
  path: '/scanners',
  scope: 'targets:read',
  about: 'either',
  origin: 'extension',
  summary: 'List the scanners of this instance.',
  reply: list(Scanner),
  example: {
    reply: {
      data: [
        {
          id: 'ports',
          name: 'Ports',
          description: 'Connects to TCP ports and reads the banner.',
          takes: ['domain', 'ip', 'cidr', 'url', 'service'],
          produces: ['host', 'service'],
          options: {
            type: 'object',
            properties: { rate: { type: 'integer', minimum: 1, maximum: 2_000, default: 200 } },
          },
          available: true,
          reason: null,
        },
      ],
    },
  },
})

export const createScan = endpoint({
  id: 'createScan',
  method: 'POST',
  path: '/scans',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Start a scan.',
  description:
    'Refused with 409 and a reason for a target out of scope (with `outOfScope: "skip"` it is left out and counted), outside the testing hours, and in an engagement that is not active. Each address is checked again during the scan. `override` overrides scope and hours, never the egress policy; only owners and admins may use it, in the web interface (403 with a key). See docs/features/scans.md.',
  body: closedObject({
    engagementId: Id('eng'),
    name: Type.Optional(Line(200, { description: 'default: generated from scanners and targets' })),
    scanners: Steps,
    targets: ScanTargets,
    outOfScope: Type.Optional(OneOf(['refuse', 'skip'], { description: 'default `refuse`' })),
    override: Type.Optional(
      closedObject({ reason: Line(500, { examples: ['Agreed with the client by phone, 14:05'] }) }),
    ),
  }),
  reply: one(Scan),
  status: 201,
  conflicts: STARTING,
  example: {
    body: {
      engagementId: EXAMPLE_SCAN.engagementId,
      name: EXAMPLE_SCAN.name,
      scanners: EXAMPLE_SCAN.scanners,
      targets: EXAMPLE_SCAN.targets,
    },
    reply: { data: { ...EXAMPLE_SCAN, state: 'queued', startedAt: null, finishedAt: null } },
  },
})

export const listScans = endpoint({
  id: 'listScans',
  method: 'GET',
  path: '/scans',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List scans, newest first.',
  query: scanList.query,
  reply: scanList.reply,
  example: { reply: { data: [EXAMPLE_SCAN], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const getScan = endpoint({
  id: 'getScan',
  method: 'GET',
  path: '/scans/:scanId',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Get a scan.',
  params: OfScan,
  reply: one(Scan),
  example: { reply: { data: EXAMPLE_SCAN } },
})

export const cancelScan = endpoint({
  id: 'cancelScan',
  method: 'POST',
  path: '/scans/:scanId/cancel',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Cancel a scan; it sends nothing after two seconds.',
  description: 'Its results are kept. Cancelling an ended scan changes nothing.',
  params: OfScan,
  reply: one(Scan),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { reply: { data: { ...EXAMPLE_SCAN, state: 'cancelled', stateReason: 'cancelled by Ada Lovelace' } } },
})

export const repeatScan = endpoint({
  id: 'repeatScan',
  method: 'POST',
  path: '/scans/:scanId/repeat',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Start the same scan again, with the current scope and targets; an override is not repeated.',
  params: OfScan,
  reply: one(Scan),
  status: 201,
  conflicts: STARTING,
  example: { reply: { data: { ...EXAMPLE_SCAN, state: 'queued', startedAt: null, finishedAt: null } } },
})

export const ScanLogLine = closedObject({
  at: Timestamp(),
  level: OneOf(['info', 'warning', 'error']),
  scanner: NullableString('null for the scan as a whole'),
  text: Type.String(),
})

export const scanLog = declareList({
  name: 'scan-log',
  item: ScanLogLine,
  sorts: ['number'],
  order: 'asc',
  counted: false,
})

export const listScanLog = endpoint({
  id: 'listScanLog',
  method: 'GET',
  path: '/scans/:scanId/log',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List the log of a scan, oldest line first.',
  description: 'The first 10,000 lines are kept.',
  params: OfScan,
  query: scanLog.query,
  reply: scanLog.reply,
  example: {
    reply: {
      data: [
        {
          at: '2026-11-21T08:30:01.000Z',
          level: 'info',
          scanner: 'ports',
          text: '203.0.113.5: 3 of 100 ports are open',
        },
      ],
      meta: { perPage: 20, nextCursor: null },
    },
  },
})
