import type { FieldDefinition } from '../../shell/fields/custom/custom-fields.ts'

export const OBJECT_LABELS: Record<FieldDefinition['objectType'], string> = {
  client: 'Clients',
  engagement: 'Engagements',
  target: 'Targets',
  finding: 'Findings',
  task: 'Tasks',
  library_entry: 'Library entries',
}

export const TYPE_LABELS: Record<FieldDefinition['type'], string> = {
  text: 'Text',
  markdown: 'Long text (Markdown)',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
  url: 'Link',
  choice: 'One choice',
  choices: 'Several choices',
  person: 'Person',
}

/** `Cost center` → `cost_center` */
export const keyOf = (label: string): string =>
  label
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 40)
