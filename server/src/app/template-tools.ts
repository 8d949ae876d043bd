import type { TemplateTools } from '../features/report-templates/report-templates.routes.ts'
import { invalid } from '../platform/errors.ts'

/** What report templates ask of reports and renders, which are above them. */
export const templateTools: TemplateTools = {
  isUsed: () => Promise.resolve(false),
  checkTypst: () => Promise.resolve([]),
  documentOf: () => Promise.reject(invalid('engagementId: this instance has no reports')),
}
