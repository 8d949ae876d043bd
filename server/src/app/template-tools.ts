import { findEngagement } from '../features/engagements/engagements.queries.ts'
import { asBodyFieldError, requireFound } from '../features/engagements/locks.service.ts'
import { forgetDefaultTemplate } from '../features/findings/review/default-template.service.ts'
import { checkTypst } from '../features/report-renders/files/check-typst.ts'
import { readerOf } from '../features/report-renders/files/read-renderable.ts'
import type { TemplateTools } from '../features/report-templates/report-templates.routes.ts'
import { composeEngagement } from '../features/reports/document/compose-unstored.ts'
import { findIsTemplateUsed } from '../features/reports/reports.queries.ts'

/** What report templates ask of reports and renders, which are above them. */
export const templateTools: TemplateTools = {
  isUsed: findIsTemplateUsed,
  forgetDefault: forgetDefaultTemplate,
  checkTypst,
  documentOf: async ({ db, config, clock, storage }, { organizationId }, engagementId, template) => {
    await asBodyFieldError(requireFound(findEngagement(db, organizationId, engagementId)))
    const reader = readerOf({ config, clock, scopedTo: () => db, storage })
    return (await composeEngagement(reader, organizationId, engagementId, template)).document
  },
}
