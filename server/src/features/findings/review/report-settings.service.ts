import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { invalid } from '../../../platform/errors.ts'
import { canonicalJson } from '../../../platform/text/json.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { changeOrganization } from '../../organizations/organization-change.service.ts'
import { requireFileNamePattern } from '../../report-templates/file-name-pattern.ts'
import { findIsForAll } from '../../report-templates/find-template.ts'
import { findReportSettings, type ReportSettings, upsertReportSettings } from './report-settings.queries.ts'

/**
 * Unchanged values have no effect.
 *
 * @throws ApiError VALIDATION_ERROR for a template that is not published or of one client, and for an unknown token
 */
export const updateReportSettings = (
  { change, clock }: Writer,
  actor: Actor,
  wanted: Partial<ReportSettings>,
): Promise<ReportSettings> =>
  changeOrganization(change, actor, async (tx, { name }) => {
    const { organizationId } = actor
    if (wanted.fileNamePattern !== undefined) requireFileNamePattern('fileNamePattern', wanted.fileNamePattern)
    if (wanted.defaultTemplateId && !(await findIsForAll(tx, organizationId, wanted.defaultTemplateId)))
      throw invalid('defaultTemplateId: must be a published template that is not of one client')
    const before = await findReportSettings(tx, organizationId)
    const after = { ...before, ...wanted }
    if (canonicalJson(after) === canonicalJson(before)) return before
    await upsertReportSettings(tx, organizationId, after, isoTime(clock.now()))
    await recordAudit(tx, actor, clock, {
      action: 'report-settings.changed',
      object: { type: 'organization', id: organizationId },
      before: { name, ...before },
      after,
    })
    return after
  })
