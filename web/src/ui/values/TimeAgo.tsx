import { formatDayOf, formatExactTime } from '../dates/dates.ts'
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
]

/** `3 hours ago` within a month, then the day; the exact time on hover and for screen readers. */
export const TimeAgo = ({ iso, never = 'never' }: { iso: string | null; never?: string }) => {
  if (iso === null) return <span>{never}</span>
  return (
    <time dateTime={iso} title={formatExactTime(iso)}>
      {describe(iso)}
    </time>
  )
}

const describe = (iso: string): string => {
  const seconds = (Date.parse(iso) - Date.now()) / 1000
  const distance = Math.abs(seconds)
  if (distance < 60) return seconds > 0 ? 'in a moment' : 'just now'
  if (distance > 30 * 86_400) return formatDayOf(iso)
  const [unit, length] = STEPS.findLast(([, step]) => distance >= step) as [Intl.RelativeTimeFormatUnit, number]
  // A time to come is not cut off: 30 days less a moment are 30 days.
  return RELATIVE.format(seconds > 0 ? Math.round(seconds / length) : Math.trunc(seconds / length), unit)
}
