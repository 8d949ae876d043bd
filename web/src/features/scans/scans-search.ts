import { flag, type Raw, definedParams, text, word } from '../../search.ts'
import { filterSearch } from '../../ui/filters/filters.ts'
import { isMoment } from '../../ui/values/moments.ts'

export const FILTER_NAMES = ['state', 'scanner'] as const

const filters = filterSearch(FILTER_NAMES)
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
