/** Days are `2031-02-03`, without a time zone; all arithmetic is in UTC, where every day has 24 hours. */
const DAY_MS = 24 * 60 * 60 * 1000

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

const pad = (number: number, length = 2): string => String(number).padStart(length, '0')

/** The day of these numbers; undefined if there is none, such as the 30th of February. @param month from 1 */
export const dayOf = (year: number, month: number, day: number): string | undefined => {
  const written = `${pad(year, 4)}-${pad(month)}-${pad(day)}`
  const time = Date.parse(written)
  return year >= 1000 && year <= 9999 && !Number.isNaN(time) && toDay(time) === written ? written : undefined
}

/** Today, where the user is. */
export const today = (): string => {
  const now = new Date()
  return `${pad(now.getFullYear(), 4)}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`
}

export const addDays = (day: string, days: number): string => toDay(Date.parse(day) + days * DAY_MS)

/** The same day of another month, or its last day if that month is shorter. */
export const addMonths = (day: string, months: number): string => {
  const first = new Date(`${day.slice(0, 7)}-01`)
  first.setUTCMonth(first.getUTCMonth() + months)
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return toDay(first.getTime() + (Math.min(Number(day.slice(8)), last) - 1) * DAY_MS)
}

/** 0 for Monday. */
export const weekdayOf = (day: string): number => (new Date(day).getUTCDay() + 6) % 7

/** The weeks of a month from Monday to Sunday, with the days of its neighbours. */
export const weeksOf = (day: string): string[][] => {
  const first = `${day.slice(0, 7)}-01`
  const monday = addDays(first, -weekdayOf(first))
  const weeks: string[][] = []
  for (let start = monday; start.slice(0, 7) <= day.slice(0, 7); start = addDays(start, 7)) {
    weeks.push([0, 1, 2, 3, 4, 5, 6].map((offset) => addDays(start, offset)))
  }
  return weeks
}
