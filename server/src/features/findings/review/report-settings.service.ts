import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { changeOrganization } from '../../organizations/organization-change.service.ts'
import { findReportSettings, type ReportSettings, upsertReportSettings } from './report-settings.queries.ts'

/** Unchanged values have no effect. */
export const updateReportSettings = (
  { change, clock }: Writer,
  actor: Actor,
  wanted: Partial<ReportSettings>,
): Promise<ReportSettings> =>
  changeOrganization(change, actor, async (tx, { name }) => {
    const { organizationId } = actor
    const before = await findReportSettings(tx, organizationId)
    const after = { fourEyes: wanted.fourEyes ?? before.fourEyes, language: wanted.language ?? before.language }
    if (after.fourEyes === before.fourEyes && after.language === before.language) return before
    await upsertReportSettings(tx, organizationId, after, isoTime(clock.now()))
    await recordAudit(tx, actor, clock, {
      action: 'report-settings.changed',
      object: { type: 'organization', id: organizationId },
      before: { name, ...before },
      after,
    })
    return after
  })
