/**
 * The formats that an account can choose. All of them tell the day from the month, whatever the language of the
 * browser.
 */
export interface DateStyle {
  /** `3 Feb 2031`, `Feb 3, 2031`, `03.02.2031`, `2031-02-03` */
  dateFormat: 'day_month_year' | 'month_day_year' | 'dotted' | 'iso'
  /** `14:05`, `2:05 PM` */
  timeFormat: '24h' | '12h'
}

/** A locale that writes dates in that way, and how it writes day and month. */
const DATE_LOCALES = {
  day_month_year: { locale: 'en-GB', day: 'numeric', month: 'short' },
  month_day_year: { locale: 'en-US', day: 'numeric', month: 'short' },
  dotted: { locale: 'de-DE', day: '2-digit', month: '2-digit' },
  iso: { locale: 'sv-SE', day: '2-digit', month: '2-digit' },
} as const

const TIME_LOCALES = {
  '24h': { locale: 'en-GB', hourCycle: 'h23', hour: '2-digit' },
  '12h': { locale: 'en-US', hourCycle: 'h12', hour: 'numeric' },
} as const

const formattersOf = ({ dateFormat, timeFormat }: DateStyle) => {
  const { locale, ...shortDay } = DATE_LOCALES[dateFormat]
  const { locale: timeLocale, ...hour } = TIME_LOCALES[timeFormat]
  return {
    day: new Intl.DateTimeFormat(locale, { ...shortDay, year: 'numeric', timeZone: 'UTC' }),
    ownDay: new Intl.DateTimeFormat(locale, { ...shortDay, year: 'numeric' }),
    shortDay: new Intl.DateTimeFormat(locale, { ...shortDay, timeZone: 'UTC' }),
    time: new Intl.DateTimeFormat(timeLocale, { ...hour, minute: '2-digit' }),
    exactTime: new Intl.DateTimeFormat(timeLocale, { ...hour, minute: '2-digit', second: '2-digit' }),
    dayTime: new Intl.DateTimeFormat(timeLocale, { ...hour, minute: '2-digit', timeZone: 'UTC' }),
  }
}

let chosen: DateStyle = { dateFormat: 'day_month_year', timeFormat: '24h' }
let formatters = formattersOf(chosen)

/** Sets how the functions below write. What is on the page already changes when it is rendered again. */
export const setDateStyle = ({ dateFormat, timeFormat }: DateStyle): void => {
  if (dateFormat === chosen.dateFormat && timeFormat === chosen.timeFormat) return
  chosen = { dateFormat, timeFormat }
  formatters = formattersOf(chosen)
}

const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' })

/** A day without a time zone, such as `2031-02-03`: `3 Feb 2031`. */
export const formatDay = (day: string): string => formatters.day.format(new Date(day))

/** The same without the year: `3 Feb`. */
export const formatShortDay = (day: string): string => formatters.shortDay.format(new Date(day))

/** `Mon` */
export const formatWeekday = (day: string): string => WEEKDAY.format(new Date(day))

/** IANA name of the user's time zone. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The day of a moment where the user is: `3 Feb 2031`. */
export const formatDayOf = (moment: string | number): string => formatters.ownDay.format(new Date(moment))

/** A moment where the user is: `3 Feb 2031, 14:05`. */
export const formatTime = (moment: string | number): string =>
  `${formatDayOf(moment)}, ${formatters.time.format(new Date(moment))}`

/** The same with seconds, where the order of events matters: `3 Feb 2031, 14:05:59`. */
export const formatExactTime = (moment: string | number): string => `${formatDayOf(moment)}, ${formatClock(moment)}`

/** `14:05:59` */
export const formatClock = (moment: string | number): string => formatters.exactTime.format(new Date(moment))

/** A time of day without a date, such as `14:05`: as the account writes it. */
export const formatTimeOfDay = (time: string): string => formatters.dayTime.format(new Date(`1970-01-01T${time}Z`))

/** A local time without a time zone, such as `2031-02-03T14:05`: `3 Feb 2031, 14:05`. */
export const formatLocalTime = (time: string): string =>
  `${formatDay(time.slice(0, 10))}, ${formatTimeOfDay(time.slice(11, 16))}`

/** `February 2031` */
export const formatMonth = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(day))

/** The day in words, as a screen reader reads it: `Monday 3 February 2031`. */
export const formatWholeDay = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(day))
