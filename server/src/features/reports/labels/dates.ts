/** Writes days, moments and numbers as a language does; the same value is the same text on every instance. */
export interface Words {
  /** `2026-11-21` as `21 November 2026`; empty without a day. */
  day: (day: string | null) => string
  period: (from: string | null, to: string | null) => string
  /** In UTC. */
  moment: (moment: string | null) => string
  number: (value: number) => string
  /** 1 is Monday. */
  weekday: (day: number) => string
}

/** English days are written as in Britain: `1/2/2026` would be read in two ways. */
const localeOf = (language: string): string => {
  const wanted = language.toLowerCase() === 'en' ? 'en-GB' : language
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([wanted])[0] ?? 'en-GB'
  } catch {
    // A tag of the right shape that names no language.
    return 'en-GB'
  }
}

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000

export const wordsOf = (language: string): Words => {
  const locale = localeOf(language)
  // Latin digits: versions, scores and numbers of findings have them in every language.
  const common = { timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' } as const
  const days = new Intl.DateTimeFormat(locale, { ...common, day: 'numeric', month: 'long', year: 'numeric' })
  const moments = new Intl.DateTimeFormat(locale, {
    ...common,
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const weekdays = new Intl.DateTimeFormat(locale, { ...common, weekday: 'long' })
  const numbers = new Intl.NumberFormat(locale, { numberingSystem: 'latn' })
  const day = (value: string | null) => (value === null ? '' : days.format(new Date(`${value}T00:00:00Z`)))
  return {
    day,
    period: (from, to) => {
      if (from === null || to === null || from === to) return day(from ?? to)
      return `${day(from)} – ${day(to)}`
    },
    moment: (value) => (value === null ? '' : `${moments.format(new Date(value))} UTC`),
    number: (value) => numbers.format(value),
    weekday: (value) => weekdays.format(new Date(MONDAY + (value - 1) * DAY_MS)),
  }
}
