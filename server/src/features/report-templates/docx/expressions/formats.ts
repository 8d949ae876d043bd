const STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  s: { year: 'numeric', month: '2-digit', day: '2-digit' },
  full: { dateStyle: 'full' },
  long: { dateStyle: 'long' },
  medium: { dateStyle: 'medium' },
  short: { dateStyle: 'short' },
}

/** A language that this server has no names for is written as English. */
const knownLocale = (language: string): string => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([language])[0] ?? 'en'
  } catch {
    return 'en'
  }
}

/** A day as a language writes it; a text that is not a date stays as it is. */
export const formatDate = (text: string, style: string, language: string): string => {
  if (text === '') return ''
  const time = Date.parse(text)
  if (Number.isNaN(time)) return text
  return new Intl.DateTimeFormat(knownLocale(language), { ...(STYLES[style] ?? STYLES['s']), timeZone: 'UTC' }).format(
    time,
  )
}

/** @param digits after the decimal mark; -1: as many as there are */
export const formatNumber = (value: number, digits: number, language: string): string => {
  const exact = digits < 0 || digits > 20 ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(knownLocale(language), exact).format(value)
}
