import type { Body } from '@sortie/contract/core/endpoint.ts'
import { REPORT_STATES } from '@sortie/contract/reports/report-data.ts'
import { STALE } from '@sortie/contract/reports/report-fields.ts'
import type * as contract from '@sortie/contract/reports/reports.ts'
import type { Updateable } from 'kysely'
import { authorOf, type Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Reports } from '../../platform/database/types.gen.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import type { InTurn } from '../../platform/text-merge/turns.ts'
import { canonicalJson } from '../../platform/text/json.ts'
import { lockMembersWithAccess } from '../findings/findings.queries.ts'
import { findReportSettings } from '../findings/review/report-settings.queries.ts'
import { findTemplate } from '../report-templates/find-template.ts'
import { reportDigest } from './document/digest.ts'
import type { ReportReader } from './document/read-source.ts'
import { findFrame } from './document/source.queries.ts'
import { lockWritableReport, recordReportChange, requireOptions, requireReport } from './report-locks.service.ts'
import * as query from './reports.queries.ts'

type Wanted = Body<typeof contract.updateReport>

export interface UpdatedReport {
  report: query.ReportRow
  /** It was approved, and needs a new review. */
  returnedToReview: boolean
}

/**
 * Changes a report. Unchanged values have no effect; a change of an approved report returns it to review. An approval
 * stores the digest of what the report shows.
 *
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR for findings of another engagement, people without access and a template
 *   that cannot be used, CONFLICT for a stale change, for a state that the review does not allow, and in an archived
 *   engagement
 */
export const updateReport = async (
  writer: Writer & Pick<ReportReader, 'findEditionData'>,
  inTurn: InTurn,
  actor: Actor,
  reportId: string,
  wanted: Wanted,
): Promise<UpdatedReport> =>
  inTurn(reportId, async () => {
    const seen = await digestBefore(writer, actor, reportId, wanted)
    return writer.change(async (tx) => {
      const { clock } = writer
      const { organizationId } = actor
      const before = await lockWritableReport(tx, actor, reportId)
      if (wanted.ifUpdatedAt !== undefined && wanted.ifUpdatedAt !== before.updated_at) throw conflict(STALE)
      const { columns, old, after } = await changesIn(tx, actor, before, wanted)
      const isChanged = Object.keys(after).length > 0
      const from = isChanged && before.state === 'approved' ? 'in_review' : before.state
      const to = wanted.state ?? from
      if (to !== from) await requireTransition(tx, actor, before, from, to)
      if (!isChanged && to === before.state) return { report: before, returnedToReview: false }
      const isWritten = isChanged
      await recordReportChange(tx, clock, actor, before, {
        action: 'report.changed',
        before: { ...old, ...(to !== before.state && { state: before.state }) },
        after: { ...after, ...(to !== before.state && { state: to }) },
        isWritten,
        columns: {
          ...columns,
          state: to,
          ...(to !== 'approved' && { approved_by: null, approved_at: null, approved_digest: null }),
          // A placeholder within the transaction: the digest is of the report as it is now.
          ...(to === 'approved' && {
            approved_by: authorOf(actor),
            approved_at: isoTime(clock.now()),
            approved_digest: '',
          }),
        },
      })
      if (to === 'approved') {
        const isAsSeen = seen?.updatedAt === before.updated_at && !isChanged
        const approved_digest = isAsSeen
          ? seen.digest
          : await reportDigest(readerWithin(writer, tx), organizationId, reportId)
        await query.updateReport(tx, organizationId, reportId, { approved_digest })
      }
      return {
        report: await requireReport(tx, organizationId, reportId),
        returnedToReview: before.state === 'approved' && to === 'in_review' && wanted.state === undefined,
      }
    })
  })

/**
 * Reads the digest of a report that is to be approved, before the transaction: with everything that the organization
 * has, whatever the caller sees.
 */
const digestBefore = async (
  writer: Writer & ReportReader,
  { organizationId }: Actor,
  reportId: string,
  { state }: Wanted,
): Promise<{ updatedAt: string; digest: string } | undefined> => {
  if (state !== 'approved') return undefined
  const { updated_at: updatedAt } = await requireReport(writer.db, organizationId, reportId)
  return { updatedAt, digest: await reportDigest(writer, organizationId, reportId) }
}

/** Reads what the transaction has changed. */
const readerWithin = (writer: ReportReader, tx: Transaction): ReportReader => ({
  ...writer,
  scopedTo: () => tx,
})

const requireTransition = async (
  tx: Transaction,
  actor: Actor,
  { writers }: query.ReportRow,
  from: query.ReportRow['state'],
  to: query.ReportRow['state'],
): Promise<void> => {
  const step = REPORT_STATES.indexOf(to) - REPORT_STATES.indexOf(from)
  if (step > 1)
    throw conflict(
      'state: a report goes from draft to in_review to approved, one step at a time, and back one step or to draft.',
    )
  if (to === 'approved' && step > 0 && actor.agent) throw conflict('An agent cannot approve a report.')
  if (step < 0 || to !== 'approved' || !(await findReportSettings(tx, actor.organizationId)).fourEyes) return
  if (actor.kind === 'key') throw conflict('With four-eyes review, an API key cannot approve a report.')
  if (writers.includes(actor.id))
    throw conflict('With four-eyes review, a report must be approved by someone who wrote none of its text.')
}

/** The columns that a request changes, with their old and new values. */
const changesIn = async (
  tx: Transaction,
  actor: Actor,
  before: query.ReportRow,
  wanted: Wanted,
): Promise<{ columns: Updateable<Reports>; old: Record<string, unknown>; after: Record<string, unknown> }> => {
  const { organizationId } = actor
  const columns: Updateable<Reports> = {}
  const old: Record<string, unknown> = {}
  const after: Record<string, unknown> = {}
  const note = (name: string, from: unknown, to: unknown) => {
    old[name] = from
    after[name] = to
  }
  for (const name of ['title', 'kind', 'language'] as const) {
    const value = wanted[name]
    if (value === undefined || value === before[name]) continue
    Object.assign(columns, { [name]: value })
    note(name, before[name], value)
  }
  if (wanted.findingFilter && canonicalJson(wanted.findingFilter) !== canonicalJson(before.finding_filter)) {
    await requireFindings(tx, actor, before.engagement_id, wanted.findingFilter.ids)
    columns.finding_filter = JSON.stringify(wanted.findingFilter)
    note('findingFilter', before.finding_filter, wanted.findingFilter)
  }
  if (wanted.options && canonicalJson(wanted.options) !== canonicalJson(before.options)) {
    await requireOptions(tx, { organizationId, reportId: before.id }, 'options', wanted.options, before.options)
    columns.options = JSON.stringify(wanted.options)
    note('options', before.options, wanted.options)
  }
  if (wanted.authorIds && wanted.authorIds.join() !== before.author_ids.join()) {
    await requireAuthors(tx, actor, before, wanted.authorIds)
    columns.author_ids = wanted.authorIds
    note('authorIds', before.author_ids, wanted.authorIds)
  }
  if (wanted.templateId !== undefined) {
    const clientId = (await findFrame(tx, organizationId, before.engagement_id))?.client_id ?? null
    const { kind = before.kind } = wanted
    const template = await findTemplate(tx, organizationId, { templateId: wanted.templateId, clientId, kind })
    if (!template) throw invalid('templateId: is not published, or belongs to another client')
    if (template.id !== before.template_id || template.version !== before.template_version) {
      columns.template_id = template.id
      columns.template_version = template.version
      note(
        'template',
        { id: before.template_id, version: before.template_version },
        { id: template.id, version: template.version },
      )
    }
  }
  return { columns, old, after }
}

/** @throws ApiError VALIDATION_ERROR for ids of other engagements, with the words for unknown ones */
const requireFindings = async (
  tx: Transaction,
  { organizationId }: Actor,
  engagementId: string,
  ids: readonly string[] = [],
): Promise<void> => {
  const found = await query.listFindingIds(tx, organizationId, engagementId, ids)
  if (ids.some((id) => !found.has(id)))
    throw invalid('findingFilter.ids: must be findings of this engagement, not in the trash')
}

/** Those who were authors before stay, also after they left. */
const requireAuthors = async (
  tx: Transaction,
  { organizationId }: Actor,
  { engagement_id: engagementId, author_ids: had }: query.ReportRow,
  ids: readonly string[],
): Promise<void> => {
  const added = ids.filter((id) => !had.includes(id))
  const seers = await lockMembersWithAccess(tx, organizationId, engagementId, added)
  if (added.some((id) => !seers.has(id))) throw invalid('authorIds: must be members with access to this engagement')
}
