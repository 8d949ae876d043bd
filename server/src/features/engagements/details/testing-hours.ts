/** Details of an engagement; null: any time. */
interface TestingHours {
  timeZone: string
  windows: readonly { days: readonly number[]; from: string; to: string }[]
}

interface Times {
  /** Days, `2026-11-21`. */
  starts_on: string | null
  ends_on: string | null
  testing_hours: unknown
}

const DAY_MS = 24 * 60 * 60 * 1000

/** @returns true if the engagement's days and hours allow sending to the network now */
export const isWithinTestingHours = ({ starts_on, ends_on, testing_hours }: Times, now: number): boolean => {
  const hours = testing_hours as TestingHours | null
  const timeZone = hours?.timeZone ?? 'UTC'
  const { day, time } = localTime(now, timeZone)
  if ((starts_on !== null && day < starts_on) || (ends_on !== null && day > ends_on)) return false
  if (!hours) return true
  const today = weekday(day)
  const yesterday = today === 1 ? 7 : today - 1
  return hours.windows.some(({ days, from, to }) => {
    if (from < to) return days.includes(today) && time >= from && time < to
    // The window continues into the next day.
    return (days.includes(today) && time >= from) || (days.includes(yesterday) && time < to)
  })
}

/** A week and a day: windows repeat weekly, and an open one may have started the day before. */
const LOOK_AHEAD_DAYS = 8

/**
 * A message that says why nothing may be sent now, with the hours and the start of the next window; null within the
 * hours. Windows are local times: `Mon to Fri 08:00 to 20:00, Europe/Berlin`, `2026-11-23 at 08:00 (Europe/Berlin)`.
 */
export const outsideTestingHours = (times: Times, now: number): string | null => {
  if (isWithinTestingHours(times, now)) return null
  const hours = times.testing_hours as TestingHours | null
  const named =
    hours && hours.windows.length > 0 ? ` (${hours.windows.map(nameWindow).join('; ')}, ${hours.timeZone})` : ''
  const next = nextTestingWindow(times, now)
  const opens = next && `${next.day} at ${next.time} (${next.timeZone})`
  return `It is outside the testing hours${named}: ${opens === undefined ? 'there is no further window' : `the next window begins on ${opens}`}.`
}

const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** `Mon to Fri 08:00 to 20:00`, `Mon, Wed 21:00 to 05:00` */
const nameWindow = ({ days, from, to }: TestingHours['windows'][number]): string => {
  const sorted = days.toSorted((a, b) => a - b)
  const names = sorted.map((day) => DAY_NAMES[day - 1] ?? '')
  const isRow = sorted.length > 2 && sorted.every((day, index) => day === (sorted[0] ?? 0) + index)
  return `${isRow ? `${names[0]} to ${names.at(-1)}` : names.join(', ')} ${from} to ${to}`
}

/** When a window begins, as a local time. */
interface NextWindow {
  day: string
  /** 1 is Monday. */
  weekday: number
  time: string
  timeZone: string
}

/** IANA name of the time zone of an engagement's days and hours. */
export const testingTimeZone = ({ testing_hours }: Times): string =>
  (testing_hours as TestingHours | null)?.timeZone ?? 'UTC'

/** The window that begins next, within a week or on the first day; undefined if there is none. */
export const nextTestingWindow = (
  { starts_on, ends_on, testing_hours }: Times,
  now: number,
): NextWindow | undefined => {
  const hours = testing_hours as TestingHours | null
  const timeZone = hours?.timeZone ?? 'UTC'
  const today = localTime(now, timeZone)
  const firstDay = starts_on !== null && starts_on > today.day ? starts_on : today.day
  for (let ahead = 0; ahead < LOOK_AHEAD_DAYS; ahead++) {
    const day = dayAfter(firstDay, ahead)
    if (ends_on !== null && day > ends_on) return undefined
    const begins = (hours?.windows ?? EVERY_DAY)
      .filter(({ days, from }) => days.includes(weekday(day)) && (day > today.day || from > today.time))
      .map(({ from }) => from)
      .toSorted()
    if (begins[0] !== undefined) return { day, weekday: weekday(day), time: begins[0], timeZone }
  }
  return undefined
}

const EVERY_DAY = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00' }]

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

const localTime = (now: number, timeZone: string): { day: string; time: string } => {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]))
  return { day: `${part['year']}-${part['month']}-${part['day']}`, time: `${part['hour']}:${part['minute']}` }
}

/** 1 is Monday. */
const weekday = (day: string): number => ((Math.floor(Date.parse(`${day}T00:00:00Z`) / DAY_MS) + 3) % 7) + 1
