import type { Task } from '../../labels.tsx'

export type LinkType = Task['links'][number]['type']

export const TYPE_LABELS: Record<LinkType, string> = {
  target: 'Target',
  result: 'Result',
  page: 'Wiki page',
  request: 'API request',
  scan: 'Scan',
  task: 'Task',
  finding: 'Finding',
}
