import { addDays, dayOf, today, weekdayOf } from './days.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1

/**
 * The day that a complete text states, in any of the formats that an account can choose: `2031-02-03`.
 *
 * @returns undefined for anything else; `3/4/2031` means two days, and is not read
 */
export const readWholeDay = (text: string): string | undefined => {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const dotted = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$/.exec(text)
  if (dotted) return dayOf(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]))
  const british = /^(\d{1,2})\.? ([a-z]{3,9})\.?,? (\d{4})$/i.exec(text)
  if (british) return dayOf(Number(british[3]), monthOf(british[2] ?? ''), Number(british[1]))
  const american = /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})$/i.exec(text)
  if (american) return dayOf(Number(american[3]), monthOf(american[1] ?? ''), Number(american[2]))
  return undefined
}

/**
 * The same, and what people write in short: `today`, `tomorrow`, `fri`, `+14`, `3 Feb`, `3.2.`. A day without a year is
 * the next one.
 */
export const readDay = (text: string): string | undefined => {
  const now = today()
  const word = text.toLowerCase()
  if (word === 'today') return now
  if (word === 'tomorrow') return addDays(now, 1)
  if (word === 'yesterday') return addDays(now, -1)
  const days = /^\+ ?(\d{1,3})$/.exec(word)
  if (days) return addDays(now, Number(days[1]))
  const weekday = WEEKDAYS.findIndex(
    (name) => word.length >= 3 && (word === name || `${name}day` === word || isWholeWeekday(word, name)),
  )
  if (weekday !== -1) return addDays(now, ((weekday - weekdayOf(now) + 6) % 7) + 1)
  return readWholeDay(text) ?? readNext(text.replace(/[.,]$/, ''), now)
}

const isWholeWeekday = (word: string, name: string): boolean =>
  word.startsWith(name) && /^(?:tues|wednes|thurs|satur)day$/.test(word)

const readNext = (text: string, now: string): string | undefined => {
  const year = Number(now.slice(0, 4))
  const isDotted = /^\d{1,2}\. ?\d{1,2}$/.test(text)
  const inYear = (at: number) => readWholeDay(isDotted ? `${text}.${at}` : `${text} ${at}`)
  const own = inYear(year)
  return own !== undefined && own >= now ? own : inYear(year + 1)
}

/** The time of day that a complete text states: `14:05`, `2:05 pm`. */
export const readWholeTime = (text: string): string | undefined => {
  const parts = /^(\d{1,2})[:.](\d{2})(?: ?([ap])\.?m\.?)?$/i.exec(text)
  return parts ? timeOf(Number(parts[1]), Number(parts[2]), parts[3]) : undefined
}

/** The same, and what people write in short: `9`, `9 pm`, `1405`. */
export const readTime = (text: string): string | undefined => {
  const parts = /^(\d{1,2})(\d{2})?(?: ?([ap])\.?m\.?)?$/i.exec(text)
  return readWholeTime(text) ?? (parts ? timeOf(Number(parts[1]), Number(parts[2] ?? 0), parts[3]) : undefined)
}

const timeOf = (hour: number, minute: number, half: string | undefined): string | undefined => {
  if (minute > 59 || hour > 23 || (half !== undefined && (hour < 1 || hour > 12))) return undefined
  const inDay = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return `${String(inDay).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** A day and a time of day, with or without a comma: `2031-02-03T14:05`. */
const splitTime = (text: string): [day: string, time: string] | undefined => {
  const iso = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})$/.exec(text)
  if (iso) return [iso[1] ?? '', iso[2] ?? '']
  const parts = /^([^:]*[^:,\s]),?\s(\d{1,2}[:.]\d{2}(?: ?[ap]\.?m\.?)?)$/i.exec(text)
  return parts ? [parts[1] ?? '', parts[2] ?? ''] : undefined
}

const joined = (text: string, day: (text: string) => string | undefined): string | undefined => {
  const [writtenDay, writtenTime] = splitTime(text) ?? []
  if (writtenDay === undefined || writtenTime === undefined) return undefined
  const [readDayOf, time] = [day(writtenDay), readWholeTime(writtenTime)]
  return readDayOf !== undefined && time !== undefined ? `${readDayOf}T${time}` : undefined
}

/** The local time that a complete text states: `2031-02-03T14:05`. */
export const readWholeLocalTime = (text: string): string | undefined => joined(text, readWholeDay)

/** The same, and what people write in short; a day without a time begins at 00:00, `now` is now. */
export const readLocalTime = (text: string): string | undefined => {
  if (text.toLowerCase() === 'now') return localNow()
  const day = readDay(text)
  return joined(text, readDay) ?? (day === undefined ? undefined : `${day}T00:00`)
}

/** Now, where the user is: `2031-02-03T14:05`. */
export const localNow = (): string => {
  const now = new Date()
  return `${today()}T${String(now.getHours()).padStart(2, '0')}:${String(now.getMinutes()).padStart(2, '0')}`
}
