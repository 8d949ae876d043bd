/** Relative moments. The address keeps the word, so that it means the same tomorrow. */
export const SPOKEN_MOMENTS = ['today', 'yesterday', 'monday'] as const
export type SpokenMoment = (typeof SPOKEN_MOMENTS)[number]

export const SPOKEN_LABELS: Record<SpokenMoment, string> = {
  today: 'Today, 00:00',
  yesterday: 'Yesterday, 00:00',
  monday: 'Monday, 00:00',
}

const MONDAY = 1

const isSpoken = (moment: string): moment is SpokenMoment => (SPOKEN_MOMENTS as readonly string[]).includes(moment)

/** A time, or the id of an import or scan, as the API takes it; days start in the browser's time zone. */
export const toMoment = (moment: string, now = new Date()): string => {
  if (!isSpoken(moment)) return moment
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  if (moment === 'yesterday') day.setDate(day.getDate() - 1)
  if (moment === 'monday') day.setDate(day.getDate() - ((day.getDay() + 7 - MONDAY) % 7))
  return day.toISOString()
}

/** True for a word, a time in UTC, or an id. */
export const isMoment = (value: string): boolean =>
  isSpoken(value) || isTime(value) || /^(?:imp|scn)_[0-9a-z]{26}$/.test(value)

export const isTime = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value) && !Number.isNaN(Date.parse(value))

/** Value of a `datetime-local` field, in the browser's time zone: `2026-11-21T14:03` */
export const toLocalTime = (iso: string): string => {
  const time = new Date(iso)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Inverse of `toLocalTime`; undefined if the value is not a time. */
export const fromLocalTime = (local: string): string | undefined => {
  const time = new Date(local)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
