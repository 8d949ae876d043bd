import type { Output } from '@sortie/client/calls.ts'
import { formatExactTime } from '../ui/dates/dates.ts'

export type Operation = Output<'listOperations'>['data'][number]

export const OPERATION_KIND_LABELS: Record<Operation['kind'], string> = {
  scan: 'Scan',
  request: 'Request',
  import: 'Import',
  manual: 'Added by hand',
  run: 'Command',
}

/** `203.0.113.5:443/tcp`, `shop.example.com (203.0.113.5)` */
export const reachedBy = ({ address, host, port, protocol }: Operation): string => {
  const place = host && address ? `${host} (${address})` : (host ?? address ?? '')
  return port === null ? place : `${place}:${port}${protocol ? `/${protocol}` : ''}`
}

/** `21 Nov 2026, 14:03:02`, in the browser's time zone. Absolute, because questions about a log name a moment. */
export const momentOf = (iso: string): string => formatExactTime(iso)
