import type { EngagementDetails } from '../../shell/context/engagement.tsx'
import { formatTimeOfDay } from '../../ui/dates/dates.ts'

export type TestingHours = NonNullable<EngagementDetails['testingHours']>

/** Starts on Monday; the API counts weekdays from 1. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** `Mon–Fri 20:00–06:00`, one line per window. */
export const describeWindows = ({ windows }: TestingHours): string[] =>
  windows.map(
    ({ days, from, to }) =>
      `${describeWeekdays(days)} ${formatTimeOfDay(from)}–${formatTimeOfDay(to)}${to <= from ? ' (next day)' : ''}`,
  )

/** Joins consecutive days: `Mon–Wed, Fri`. */
const describeWeekdays = (days: readonly number[]): string => {
  const runs: [first: number, last: number][] = []
  for (const day of days.toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run && run[1] === day - 1) run[1] = day
    else runs.push([day, day])
  }
  return runs.map(([first, last]) => (first === last ? nameOf(first) : `${nameOf(first)}–${nameOf(last)}`)).join(', ')
}

const nameOf = (day: number): string => WEEKDAYS[day - 1] ?? ''
