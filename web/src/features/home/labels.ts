import type { Output } from '@sortie/client/calls.ts'
import { daysUntil } from '../../domain/engagement-days.ts'
import { formatDay, formatTimeOfDay, formatWeekday, ownTimeZone } from '../../ui/dates/dates.ts'

export type Home = Output<'getHome'>['data']
type Testing = Home['engagements'][number]['testing']

const DAYS_OF_A_WEEK = 7

/** `Testing open`, `closed, opens Fri 09:00`; with the date if the window opens in a week or later. */
export const describeTesting = ({ isOpen, opens, timeZone }: Testing, today = new Date()): string => {
  if (isOpen) return 'Testing open'
  if (opens === null) return 'Testing closed'
  const day = daysUntil(opens.day, today) < DAYS_OF_A_WEEK ? formatWeekday(opens.day) : formatDay(opens.day)
  const isHere = ownTimeZone() === timeZone
  return `Testing closed, opens ${day} ${formatTimeOfDay(opens.time)}${isHere ? '' : ` (${timeZone})`}`
}

/** `due today`, `overdue by 3 days`; undefined without a date. */
export const describeDue = (dueOn: string | null, today = new Date()): string | undefined => {
  if (dueOn === null) return undefined
  const days = daysUntil(dueOn, today)
  if (days < 0) return days === -1 ? 'overdue since yesterday' : `overdue by ${-days} days`
  if (days === 0) return 'due today'
  if (days === 1) return 'due tomorrow'
  return `due ${days < DAYS_OF_A_WEEK ? formatWeekday(dueOn) : formatDay(dueOn)}`
}
