import { domainToASCII } from 'node:url'
import { hasDeceptiveCharacters } from './invisible.ts'

/** Control characters (C0, DEL, C1, line and paragraph separators). */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
/** Control characters that multi-line text does not need: all except tab, line feed and carriage return. */
const CONTROL_BUT_BREAKS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/**
 * Maximum UTF-16 units of a text before normalisation, for at most `maxLength` code points afterwards: NFC joins up to
 * four units into one code point.
 */
export const maxRawUnits = (maxLength: number): number => 4 * maxLength

/** Normalising this many units takes a few milliseconds at most, whatever they are. */
const QUICKLY_NORMALIZED = 4_096
const LONG_RUN_OF_MARKS = /\p{M}{64}/u

/**
 * Brings a one-line text into the form that is checked and stored: trimmed, NFC. Checks the length first, since
 * normalising a run of combining marks takes quadratic time (abuse case I15).
 *
 * @param maxLength in code points
 * @returns undefined for a text that is longer than any line of this length can be, or is long and mostly marks; the
 *   result may still be slightly too long
 */
export const normalizeLine = (value: string, maxLength: number): string | undefined => {
  if (value.length > maxRawUnits(maxLength)) return undefined
  if (value.length > QUICKLY_NORMALIZED && LONG_RUN_OF_MARKS.test(value)) return undefined
  return value.trim().normalize('NFC')
}

/**
 * Reports whether a one-line text can be shown as a name: no control, direction or misplaced invisible characters (open
 * point 32).
 */
export const isSingleLine = (value: string): boolean => !CONTROL.test(value) && !hasDeceptiveCharacters(value)

/**
 * A one-line text of 1 to `maxLength` code points, normalised and checked with `isSingleLine`; undefined for other
 * text.
 */
export const parseLine = (value: string, maxLength: number): string | undefined => {
  const line = normalizeLine(value, maxLength)
  return line && [...line].length <= maxLength && isSingleLine(line) ? line : undefined
}

export const isMultiLine = (value: string): boolean => !CONTROL_BUT_BREAKS.test(value)

const MAX_ADDRESS = 254
const MAX_LOCAL_PART = 64
const MAX_DOMAIN = 253
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** Refused before the conversion, which would silently drop a path, line breaks and percent signs. */
const WRITTEN_DOMAIN = /^[A-Za-z0-9.\u0080-\u{10ffff}-]+$/u
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/**
 * An address in the form in which it is stored, and the key that identifies its account: the local part is compared in
 * any letter case and must be ASCII, the domain in its ASCII form (UTS 46).
 *
 * @returns undefined for other addresses
 */
export const parseEmail = (value: string): { email: string; key: string } | undefined => {
  if (value.length > maxRawUnits(MAX_ADDRESS)) return undefined
  const trimmed = value.trim()
  const at = trimmed.lastIndexOf('@')
  if (at < 1 || trimmed.length > MAX_ADDRESS) return undefined
  const local = trimmed.slice(0, at)
  const written = trimmed.slice(at + 1)
  if (local.length > MAX_LOCAL_PART || !LOCAL_PART.test(local)) return undefined
  const domain = parseDomain(written)
  if (domain === undefined) return undefined
  return { email: `${local}@${domain}`, key: `${local.toLowerCase()}@${domain}` }
}

/** A domain name with at least one dot in its ASCII form (UTS 46), in lower case; undefined for other text. */
export const parseDomain = (written: string): string | undefined => {
  if (written.length > maxRawUnits(MAX_DOMAIN) || !WRITTEN_DOMAIN.test(written)) return undefined
  const domain = domainToASCII(written)
  if (domain.length > MAX_DOMAIN || /^[\d.]+$/.test(domain)) return undefined
  const labels = domain.split('.')
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) ? domain : undefined
}

/** Escapes text for an HTML page or mail. */
export const escapeHtml = (value: string): string =>
  value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Reports whether text has no NUL and no lone surrogate: Postgres stores and returns it unchanged. */
export const isStorable = (value: string): boolean => !value.includes('\u0000') && value.isWellFormed()
