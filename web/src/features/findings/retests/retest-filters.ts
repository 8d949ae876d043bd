import type { FilterDefinition } from '../../../ui/filters/filters.ts'

export const RETEST_STATE_LABELS = { planned: 'Planned', running: 'Running', done: 'Done' } as const

export const RETEST_FILTERS: readonly FilterDefinition[] = [
  {
    name: 'state',
    label: 'State',
    kind: 'words',
    options: Object.entries(RETEST_STATE_LABELS).map(([value, label]) => ({ value, label })),
  },
]
