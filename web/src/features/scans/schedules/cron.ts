import { formatTimeOfDay } from '../../../ui/dates/dates.ts'

/** Times of a schedule as form values; `cron` for expressions that no preset covers. */
export interface Timing {
  repeats: 'daily' | 'weekdays' | 'weekly' | 'cron'
  /** `02:00` */
  time: string
  /** For `weekly`: 0 for Sunday to 6 for Saturday, as in cron. */
  weekday: string
  /** For `cron`: five fields. */
  cron: string
}

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

const USUAL: Timing = { repeats: 'weekdays', time: '02:00', weekday: '1', cron: '0 2 * * 1-5' }

/** Parses five fields; an expression that no preset covers stays as it is. */
export const toTiming = (cron: string): Timing => {
  const [, minute, hour, days = ''] = /^(\d{1,2}) (\d{1,2}) \* \* (\*|1-5|[0-7])$/.exec(cron) ?? []
  if (minute === undefined || hour === undefined || Number(minute) > 59 || Number(hour) > 23)
    return { ...USUAL, repeats: 'cron', cron }
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (days === '*') return { ...USUAL, repeats: 'daily', time, cron }
  if (days === '1-5') return { ...USUAL, repeats: 'weekdays', time, cron }
  return { repeats: 'weekly', time, weekday: String(Number(days) % 7), cron }
}

/** Inverse of `toTiming`. An empty time is midnight. */
export const toCron = ({ repeats, time, weekday, cron }: Timing): string => {
  if (repeats === 'cron') return cron.trim().replaceAll(/\s+/g, ' ')
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const days = { daily: '*', weekdays: '1-5', weekly: weekday }[repeats]
  return `${minute} ${hour} * * ${days}`
}

/** `Every weekday at 02:00, Europe/Berlin` */
export const describeTiming = (cron: string, timeZone: string): string => {
  const { repeats, time, weekday } = toTiming(cron)
  if (repeats === 'cron') return `At ${cron} (cron), ${timeZone}`
  const days = {
    daily: 'Every day',
    weekdays: 'Every weekday',
    weekly: `Every ${WEEKDAYS[Number(weekday)] ?? 'week'}`,
  }[repeats]
  return `${days} at ${formatTimeOfDay(time)}, ${timeZone}`
}
