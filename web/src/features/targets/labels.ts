import type { Output } from '@sortie/client/calls.ts'

export type Target = Output<'listTargets'>['data'][number]
export type Criticality = Target['criticality']

export const TARGET_KIND_LABELS: Record<Target['kind'], string> = {
  domain: 'Name',
  ip: 'Address',
  cidr: 'Network',
  url: 'URL',
  service: 'Service',
  cloud: 'Cloud',
  repository: 'Repository',
  other: 'Other',
}

export const CRITICALITY_LABELS: Record<Criticality, string> = {
  none: 'None',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  critical: 'Critical',
}

export const SOURCE_LABELS: Record<Target['source'], string> = {
  manual: 'Entered',
  import: 'Import',
  scan: 'Scan',
  api: 'API',
}
