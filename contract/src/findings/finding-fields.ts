import Type from 'typebox'
import {
  closedObject,
  Id,
  Line,
  Markdown,
  Nullable,
  NullableDay,
  NullableString,
  NullableTimestamp,
  OneOf,
  Timestamp,
} from '../core/endpoint.ts'
import { Fields, FieldsChange } from '../custom-fields/fields.ts'
import { PersonReference } from '../engagement/engagement-details.ts'

/** By weight, lowest first. */
export const FINDING_SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const
export const FINDING_STATES = ['draft', 'in_review', 'approved'] as const
export const REMEDIATION_STATUSES = ['open', 'partly_fixed', 'fixed', 'not_reproducible', 'withdrawn'] as const
export const CLIENT_STATES = ['planned', 'fixed', 'accepted', 'rejected'] as const
export const VERIFICATIONS = ['none', 'machine_found', 'machine_verified', 'human_verified'] as const
/** The texts of a finding, in their order in reports. */
export const SECTIONS = ['summary', 'description', 'impact', 'reproduction', 'recommendation'] as const
export const PROOF_TYPES = ['request', 'run', 'scan'] as const

export type FindingSeverity = (typeof FINDING_SEVERITIES)[number]
export type FindingState = (typeof FINDING_STATES)[number]
export type RemediationStatus = (typeof REMEDIATION_STATUSES)[number]
export type Verification = (typeof VERIFICATIONS)[number]
export type Section = (typeof SECTIONS)[number]
export type ProofType = (typeof PROOF_TYPES)[number]

/** Characters of each of the five texts. */
export const MAX_SECTION = 50_000
/** Bytes of a body with the five texts. */
export const FINDING_LIMITS = { bytes: 4_194_304 } as const

export const FindingTitle = Line(300, { examples: ['SQL injection in the search of the shop'] })
export const EmptyLine = (maxLength: number, description?: string) =>
  Type.String({ maxLength, format: 'single-line', ...(description && { description }) })
export const Tag = Type.String({
  minLength: 1,
  maxLength: 64,
  format: 'single-line',
  pattern: '^[^,]*$',
  examples: ['shop'],
})
export const Tags = Type.Array(Tag, { maxItems: 50, uniqueItems: true })

const Ids = (pattern: string, maxLength: number, example: string) =>
  Type.Array(Type.String({ pattern, maxLength, examples: [example] }), { maxItems: 50, uniqueItems: true })

export const PersonId = (description: string) =>
  Type.Unsafe<string | null>({ ...Id('usr'), type: ['string', 'null'], description })

export const ClientStatusChange = Nullable(
  {
    state: OneOf(CLIENT_STATES),
    until: Type.Optional(NullableDay('the last day of what is planned or accepted')),
    reason: Type.Optional(Line(500, { minLength: 0 })),
  },
  'what the client says; null: nothing',
)

export const ClientStatus = Nullable(
  {
    state: OneOf(CLIENT_STATES),
    until: NullableDay('the last day of what is planned or accepted'),
    reason: Type.String(),
    by: Nullable(PersonReference.properties, 'null for a key'),
    at: Timestamp(),
  },
  'what the client says; null: nothing',
)

export const Proof = closedObject({
  type: OneOf(PROOF_TYPES),
  id: Type.String({
    pattern: '^(?:req|run|scn)_[0-9a-z]{26}$',
    maxLength: 30,
    examples: ['run_01jd7w2v4pf1y8m3c6k9t0r5xz'],
  }),
})

/** Fields that are written and read alike, except the texts. */
export const plainFields = {
  severityReason: EmptyLine(500, 'needed before review if severity and score differ'),
  references: Type.Array(Line(2_000), { maxItems: 100 }),
  cwe: Ids('^CWE-[1-9][0-9]{0,6}$', 11, 'CWE-89'),
  cve: Ids('^CVE-[0-9]{4}-[0-9]{4,10}$', 19, 'CVE-2026-1234'),
  owasp: Ids('^[A-Z]{1,4}[0-9]{1,2}:[0-9]{4}$', 11, 'A03:2021'),
  wstg: Ids('^WSTG-[A-Z]{4}-[0-9]{2}$', 12, 'WSTG-INPV-05'),
  attack: Ids('^T[0-9]{4}(?:\\.[0-9]{3})?$', 9, 'T1059.001'),
  tags: Tags,
  proofs: Type.Array(Proof, {
    maxItems: 20,
    description: 'requests, runs and scans of the same engagement that show it',
  }),
}

export const texts = {
  summary: Markdown(MAX_SECTION),
  description: Markdown(MAX_SECTION),
  impact: Markdown(MAX_SECTION),
  reproduction: Markdown(MAX_SECTION),
  recommendation: Markdown(MAX_SECTION),
}

export const CvssVector = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 500,
  examples: ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
  description: 'CVSS 3.0, 3.1 or 4.0; null removes vector and score',
})

export const RetestOf = Type.Unsafe<string | null>({
  ...Id('fnd'),
  type: ['string', 'null'],
  description: 'the finding of another engagement of the same client that this one retests; null: none',
})

const summaryFields = {
  id: Id('fnd'),
  engagementId: Id('eng'),
  number: Type.Integer({ minimum: 1, description: 'in its engagement; never reused' }),
  title: FindingTitle,
  severity: OneOf(FINDING_SEVERITIES),
  cvssVector: CvssVector,
  cvssScore: Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, maximum: 10 }),
  state: OneOf(FINDING_STATES),
  status: OneOf(REMEDIATION_STATUSES, { description: 'follows from the affected assets, if there are any' }),
  clientStatus: ClientStatus,
  verification: OneOf(VERIFICATIONS),
  ...plainFields,
  fields: Fields,
  author: Nullable(PersonReference.properties, 'who writes it'),
  reviewer: Nullable(PersonReference.properties, 'who reviews it'),
  publishedAt: NullableTimestamp('when it was published to guests'),
  libraryEntryId: NullableString('the library entry that it was made from'),
  libraryVersion: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1 }),
  retestOf: RetestOf,
  affectedCounts: closedObject(
    Object.fromEntries(REMEDIATION_STATUSES.map((status) => [status, Type.Integer({ minimum: 0 })])) as Record<
      RemediationStatus,
      Type.TInteger
    >,
  ),
  commentCount: Type.Integer({ minimum: 0 }),
  position: Type.String({ maxLength: 400, description: 'order key: compare bytewise' }),
  revision: Type.Integer({ minimum: 1, description: 'grows with each save that changes a text' }),
  trashedAt: NullableTimestamp('when it was moved to the trash; it is deleted 30 days later'),
  createdBy: Nullable(PersonReference.properties, 'null for a key'),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
}

/** A finding in lists, without its texts. */
export const FindingSummary = closedObject(summaryFields)
export const Finding = closedObject({ ...summaryFields, ...texts })

/** Fields that can be set, except the texts. */
export const writtenFields = {
  severity: OneOf(FINDING_SEVERITIES, { description: 'follows from the vector unless given' }),
  cvssVector: CvssVector,
  status: OneOf(REMEDIATION_STATUSES, { description: 'sets every affected asset' }),
  clientStatus: ClientStatusChange,
  verification: OneOf(VERIFICATIONS, { description: '`human_verified` is set by people only' }),
  ...plainFields,
  authorId: PersonId('a member who sees the engagement, or null'),
  reviewerId: PersonId('a member who sees the engagement, or null'),
  retestOf: RetestOf,
  fields: FieldsChange,
}

const PERSON = { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' }

export const EXAMPLE_SUMMARY = {
  id: 'fnd_01jd7w2v4pf1y8m3c6k9t0r5xz',
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  number: 3,
  title: 'SQL injection in the search of the shop',
  severity: 'critical',
  severityReason: '',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cvssScore: 9.8,
  state: 'draft',
  status: 'open',
  clientStatus: null,
  verification: 'human_verified',
  references: ['https://owasp.org/www-community/attacks/SQL_Injection'],
  cwe: ['CWE-89'],
  cve: [],
  owasp: ['A03:2021'],
  wstg: ['WSTG-INPV-05'],
  attack: ['T1190'],
  tags: ['shop'],
  proofs: [{ type: 'run', id: 'run_01jd7w2v4pf1y8m3c6k9t0r5xz' }],
  fields: {},
  author: PERSON,
  reviewer: null,
  publishedAt: null,
  libraryEntryId: null,
  libraryVersion: null,
  retestOf: null,
  affectedCounts: { open: 2, partly_fixed: 0, fixed: 0, not_reproducible: 0, withdrawn: 0 },
  commentCount: 0,
  position: 'a0',
  revision: 1,
  trashedAt: null,
  createdBy: PERSON,
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}

export const EXAMPLE_FINDING = {
  ...EXAMPLE_SUMMARY,
  summary: 'The search passes its input to the database.',
  description: 'The parameter `q` becomes part of a statement.',
  impact: 'Anyone can read every order.',
  reproduction: '![[run_01jd7w2v4pf1y8m3c6k9t0r5xz]]',
  recommendation: 'Use parameters in every statement.',
}

export const OfFinding = closedObject({ findingId: Id('fnd') })
export const IN_TRASH = 'This finding is in the trash: restore it first.'
export const STALE = 'This finding was changed in the meantime. Read it again, then repeat the change.'
/** Changes of one finding run one after another. */
export const IN_TURN = { seconds: 60 }
