/** Offsets from UTC, in hours, of abbreviations that Java and `date` write. Ambiguous ones are excluded. */
const ZONES = new Map(
  Object.entries({
    Z: 0,
    UTC: 0,
    GMT: 0,
    WET: 0,
    WEST: 1,
    BST: 1,
    CET: 1,
    MET: 1,
    CEST: 2,
    MEST: 2,
    EET: 2,
    SAST: 2,
    EEST: 3,
    MSK: 3,
    WIB: 7,
    HKT: 8,
    SGT: 8,
    JST: 9,
    KST: 9,
    AEST: 10,
    AEDT: 11,
    NZST: 12,
    NZDT: 13,
    EST: -5,
    EDT: -4,
    CDT: -5,
    MST: -7,
    MDT: -6,
    PST: -8,
    PDT: -7,
  }),
)

/** Prefixes of month names in English, German, French, Spanish, Italian, Portuguese and Dutch, as Java writes dates. */
const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'ene', 'gen'],
  ['feb', 'fév', 'fev'],
  ['mar', 'mär', 'mrz', 'maa', 'mrt'],
  ['apr', 'avr', 'abr'],
  ['may', 'mai', 'mag', 'mei'],
  ['jun', 'juin', 'giu'],
  ['jul', 'juil', 'lug'],
  ['aug', 'aoû', 'ago'],
  ['sep', 'set'],
  ['oct', 'okt', 'ott', 'out'],
  ['nov'],
  ['dec', 'dez', 'déc', 'dic'],
]

const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,]\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/
/** `Tue Nov 24 09:00:00 CET 2026`, also without the zone. */
const OF_UNIX =
  /^\p{L}{1,10}\.?,? (\p{L}{3,10})\.? {1,2}(\d{1,2}) (\d\d:\d\d:\d\d) (?:([A-Z]{1,5}|[+-]\d\d:?\d\d) )?(\d{4})$/u
/** `Tue, 24 Nov 2026 09:00:00`, also with a zone at the end. */
const OF_MAILS =
  /^\p{L}{1,10}\.?,? (\d{1,2})\.? (\p{L}{3,10})\.? (\d{4}) (\d\d:\d\d:\d\d)(?: ([A-Z]{1,5}|[+-]\d\d:?\d\d))?$/u

/** A time that a file states. */
export interface Moment {
  /** Milliseconds since 1970. */
  at: number
  /** True if the file states no time zone, or an unknown one: UTC is assumed. */
  isZoneAssumed: boolean
}

const monthOf = (written: string): number =>
  MONTHS.findIndex((beginnings) => beginnings.some((beginning) => written.toLowerCase().startsWith(beginning)))

const offsetOf = (zone: string | undefined): number | undefined => {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '') ?? []
  if (hours === undefined || minutes === undefined) return zone === undefined ? undefined : ZONES.get(zone)
  return (sign === '-' ? -1 : 1) * (Number(hours) + Number(minutes) / 60)
}

const HOUR_MS = 3_600_000

const momentFrom = (day: string, time: string, zone: string | undefined): Moment | undefined => {
  const offset = offsetOf(zone)
  const at = Date.parse(`${day}T${time}Z`) - (offset ?? 0) * HOUR_MS
  return Number.isNaN(at) ? undefined : { at, isZoneAssumed: offset === undefined }
}

const dayFrom = (year: string, month: string, day: string): string =>
  `${year}-${String(monthOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`

/**
 * Parses a tool's time: ISO 8601, seconds or milliseconds since 1970, or words in some languages. Returns undefined if
 * it is invalid.
 */
export const readMoment = (written: string): Moment | undefined => {
  const text = written.trim()
  if (/^\d{9,10}$/.test(text)) return { at: Number(text) * 1_000, isZoneAssumed: false }
  if (/^\d{12,13}$/.test(text)) return { at: Number(text), isZoneAssumed: false }
  const iso = ISO.exec(text)
  if (iso) return momentFrom(iso[1] as string, iso[2] as string, iso[3])
  const [, month, day, time, zone, year] = OF_UNIX.exec(text) ?? []
  if (year !== undefined) return momentFrom(dayFrom(year, month as string, day as string), time as string, zone)
  const mail = OF_MAILS.exec(text)
  return mail
    ? momentFrom(dayFrom(mail[3] as string, mail[2] as string, mail[1] as string), mail[4] as string, mail[5])
    : undefined
}
