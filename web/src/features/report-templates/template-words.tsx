import type { Output } from '@sortie/client/calls.ts'
import { StatusLabel } from '../../ui/feedback/StatusLabel.tsx'

export type Template = Output<'getReportTemplate'>['data']
export type TemplateRow = Output<'listReportTemplates'>['data'][number]
export type TemplateSection = Template['sections'][string][number]
export type CheckOutcome = Output<'checkReportTemplate'>['data']
export type TemplateProblem = CheckOutcome['problems'][number]

export const TEMPLATE_STATE_LABELS: Record<TemplateRow['state'], string> = { draft: 'Draft', published: 'Published' }

/** The state of the newest version, and which version reports get meanwhile. */
export const TemplateStateLabel = ({ template }: { template: Pick<TemplateRow, 'state' | 'publishedVersion'> }) => (
  <StatusLabel tone={template.state === 'published' ? 'good' : 'quiet'}>
    {template.state === 'draft' && template.publishedVersion !== null
      ? `Draft; version ${template.publishedVersion} is published`
      : TEMPLATE_STATE_LABELS[template.state]}
  </StatusLabel>
)

/** Reads that are stale after a template changed. */
export const staleTemplateReads = (organizationId: string) =>
  (['listReportTemplates', 'getReportTemplate'] as const).map((name) => [organizationId, name] as const)
