const DAY_MS = 24 * 60 * 60 * 1000

/** How long a key may work: `365` days at most. */
export const EXPIRIES = [
  { value: '1', label: 'In one day' },
  { value: '7', label: 'In a week' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const

export type Expiry = (typeof EXPIRIES)[number]['value']

/** ISO 8601. */
export const endOf = (days: Expiry): string => new Date(Date.now() + Number(days) * DAY_MS).toISOString()
