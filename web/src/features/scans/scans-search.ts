import { SCAN_STATE_LABELS } from '../../domain/scan-states.tsx'
import { flag, type Raw, definedParams, text, word } from '../../search.ts'
import { type FilterDefinition, filterSearch } from '../../ui/filters/filters.ts'
import { isMoment } from '../../ui/values/moments.ts'

export const FILTERS: readonly FilterDefinition[] = [
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

const filters = filterSearch(FILTERS)
const order = (raw: Raw) => word(['asc', 'desc'] as const, raw.order)

/** Search params of the scans: filters, order and preview. */
export const scansSearch = (raw: Raw) => ({
  ...filters(raw),
  ...definedParams({ order: order(raw), peek: text(raw.peek) }),
})

/** Search params of the schedules: order, preview, and the create dialog. */
export const schedulesSearch = (raw: Raw) =>
  definedParams({ order: order(raw), peek: text(raw.peek), add: flag(raw.add) })

/** `from`: a scan of everything new since that moment. */
export const newScanSearch = (raw: Raw) => {
  const from = text(raw.from)
  return definedParams({ from: from !== undefined && isMoment(from) ? from : undefined })
}
