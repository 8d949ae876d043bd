import type { ReportEdition } from '@sortie/contract/reports/report-renders.ts'
import { RENDER_FORMATS } from '@sortie/contract/reports/report-renders.ts'
import type { Static } from 'typebox'
import { findBuiltIn } from '../../report-templates/built-in/index.ts'
import type { EditionRow } from './editions.queries.ts'

const person = (id: string | null, name: string | null) => (id === null || name === null ? null : { id, name })

/** An edition as the API shows it. */
export const toEdition = (row: EditionRow): Static<typeof ReportEdition> => ({
  id: row.id,
  reportId: row.report_id,
  engagementId: row.engagement_id,
  number: row.number,
  note: row.note,
  templateId: row.has_template || findBuiltIn(row.template_id) ? row.template_id : null,
  templateVersion: row.template_version,
  compilerVersion: row.compiler_version,
  signedBy: row.signed_by,
  encrypted: row.encrypted,
  approvedBy: person(row.approved_by, row.approver_name),
  createdBy: person(row.created_by, row.creator_name),
  createdAt: row.created_at,
  files: row.files
    .map(({ format, size, sha256 }) => ({ format, size, sha256 }))
    .toSorted((one, other) => RENDER_FORMATS.indexOf(one.format) - RENDER_FORMATS.indexOf(other.format)),
})
