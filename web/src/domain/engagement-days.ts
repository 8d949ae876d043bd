import { formatDay } from '../ui/dates/dates.ts'

const DAY_MS = 86_400_000

/** Days from today to `day` (`2026-11-21`) in the user's time zone; negative for past days. */
export const daysUntil = (day: string, today = new Date()): number => {
  const start = Date.UTC(today.getFullYear(), today.getMonth(), today.getDate())
  return Math.round((Date.parse(day) - start) / DAY_MS)
}

/** `12 days left`, or when it starts or ended; undefined for an engagement without dates. */
export const describeDays = (
  { startsOn, endsOn }: { startsOn: string | null; endsOn: string | null },
  today = new Date(),
): string | undefined => {
  const start = startsOn === null ? undefined : daysUntil(startsOn, today)
  if (start !== undefined && start > 0) return start === 1 ? 'starts tomorrow' : `starts in ${start} days`
  if (endsOn === null) return undefined
  const left = daysUntil(endsOn, today)
  if (left > 1) return `${left} days left`
  if (left === 1) return 'ends tomorrow'
  if (left === 0) return 'ends today'
  return left === -1 ? 'ended yesterday' : `ended ${-left} days ago`
}

/** `1 Dec 2026 – 12 Dec 2026`; if only one date is set, labels it as start or end. */
export const describeDates = ({ startsOn, endsOn }: { startsOn: string | null; endsOn: string | null }): string => {
  if (startsOn && endsOn)
    return startsOn === endsOn ? formatDay(startsOn) : `${formatDay(startsOn)} – ${formatDay(endsOn)}`
  if (startsOn) return `from ${formatDay(startsOn)}`
  return endsOn ? `until ${formatDay(endsOn)}` : 'No dates yet'
}
