import type { Output } from '@sortie/client/calls.ts'

export type Operation = Output<'listOperations'>['data'][number]

export const KIND_LABELS: Record<Operation['kind'], string> = {
  scan: 'Scan',
  request: 'Request',
  import: 'Import',
  manual: 'Added by hand',
}

/** `203.0.113.5:443/tcp`, `shop.example.com (203.0.113.5)` */
export const reachedBy = ({ address, host, port, protocol }: Operation): string => {
  const place = host && address ? `${host} (${address})` : (host ?? address ?? '')
  return port === null ? place : `${place}:${port}${protocol ? `/${protocol}` : ''}`
}

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' })

/** `21/11/2026, 14:03:02`, in the browser's time zone. Absolute, because questions about a log name a moment. */
export const momentOf = (iso: string): string => FULL.format(new Date(iso))
