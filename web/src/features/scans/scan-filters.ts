import { SCAN_STATE_LABELS } from '../../domain/scan-states.tsx'
import { type FilterDefinition } from '../../ui/filters/filters.ts'
import type { FILTER_NAMES } from './scans-search.ts'

export const FILTERS: readonly FilterDefinition<(typeof FILTER_NAMES)[number]>[] = [
  {
    name: 'state',
    label: 'State',
    kind: 'words',
    options: Object.entries(SCAN_STATE_LABELS).map(([value, label]) => ({ value, label })),
  },
  {
    name: 'scanner',
    label: 'Scanner',
    kind: 'words',
    options: [
      { value: 'dns', label: 'DNS' },
      { value: 'ports', label: 'Ports' },
      { value: 'http', label: 'HTTP' },
      { value: 'tls', label: 'TLS' },
      { value: 'nmap', label: 'nmap' },
    ],
  },
]
