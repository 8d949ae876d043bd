import type { FindingSeverity, ProofType, Verification } from '@sortie/contract/findings/finding-fields.ts'
import { scoreOf, severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import type { Insertable } from 'kysely'
import type { Findings } from '../../../platform/database/types.gen.ts'
import { invalid } from '../../../platform/errors.ts'
import { severityOf, weightOf } from '../../../platform/lists/severities.ts'
import { canonicalJson } from '../../../platform/text/json.ts'
import { type FindingRow } from '../findings.queries.ts'

/** Fields that are stored as they are written. */
export interface PlainFields {
  title?: string
  severity?: FindingSeverity
  severityReason?: string
  cvssVector?: string | null
  verification?: Verification
  references?: string[]
  cwe?: string[]
  cve?: string[]
  owasp?: string[]
  wstg?: string[]
  attack?: string[]
  tags?: string[]
  proofs?: { type: ProofType; id: string }[]
  authorId?: string | null
  reviewerId?: string | null
  libraryVersion?: number
  retestOf?: string | null
}

const NAMES = [
  'title',
  'severity',
  'severityReason',
  'cvssVector',
  'verification',
  'references',
  'cwe',
  'cve',
  'owasp',
  'wstg',
  'attack',
  'tags',
  'proofs',
  'authorId',
  'reviewerId',
  'libraryVersion',
  'retestOf',
] as const satisfies readonly (keyof PlainFields)[]

/**
 * The fields of a request; the severity follows a new vector unless it is given. @throws ApiError VALIDATION_ERROR for
 * a vector
 */
export const plainFieldsIn = (wanted: PlainFields): PlainFields => {
  const given = Object.fromEntries(
    NAMES.flatMap((name) => (wanted[name] === undefined ? [] : [[name, wanted[name]]])),
  ) as PlainFields
  const score = typeof given.cvssVector === 'string' ? requireScore(given.cvssVector) : undefined
  return { ...(score !== undefined && { severity: severityOfScore(score) }), ...given }
}

const requireScore = (vector: string): number => {
  const score = scoreOf(vector)
  if (score === undefined) throw invalid('cvssVector: must be a complete CVSS 3.0, 3.1 or 4.0 vector')
  return score
}

/** As they are stored, under the names of the contract. */
const currentOf = (row: FindingRow): { [F in keyof PlainFields]-?: PlainFields[F] | null } => ({
  title: row.title,
  severity: severityOf(row.severity),
  severityReason: row.severity_reason,
  cvssVector: row.cvss_vector,
  verification: row.verification,
  references: row.source_references,
  cwe: row.cwe,
  cve: row.cve,
  owasp: row.owasp,
  wstg: row.wstg,
  attack: row.attack,
  tags: row.tags,
  proofs: row.proofs,
  authorId: row.author_id,
  reviewerId: row.reviewer_id,
  libraryVersion: row.library_version,
  retestOf: row.retest_of,
})

/** The fields that change, with their old and new values. */
export const changedFields = (row: FindingRow, wanted: PlainFields): { before: PlainFields; after: PlainFields } => {
  const current = currentOf(row)
  const names = NAMES.filter(
    (name) => wanted[name] !== undefined && canonicalJson(wanted[name]) !== canonicalJson(current[name]),
  )
  const only = (fields: object) =>
    Object.fromEntries(names.map((name) => [name, (fields as PlainFields)[name]])) as PlainFields
  return { before: only(current), after: only(wanted) }
}

export const columnsOf = (fields: PlainFields): Partial<Insertable<Findings>> => {
  const columns = {
    title: fields.title,
    severity: fields.severity && weightOf(fields.severity),
    severity_reason: fields.severityReason,
    cvss_vector: fields.cvssVector,
    cvss_score:
      fields.cvssVector === undefined ? undefined : fields.cvssVector === null ? null : scoreOf(fields.cvssVector),
    verification: fields.verification,
    source_references: fields.references,
    cwe: fields.cwe,
    cve: fields.cve,
    owasp: fields.owasp,
    wstg: fields.wstg,
    attack: fields.attack,
    tags: fields.tags,
    proofs: fields.proofs && JSON.stringify(fields.proofs),
    author_id: fields.authorId,
    reviewer_id: fields.reviewerId,
    library_version: fields.libraryVersion,
    retest_of: fields.retestOf,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Partial<
    Insertable<Findings>
  >
}
