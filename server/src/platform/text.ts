import { domainToASCII } from 'node:url'

/** Control characters (C0, DEL, C1, line and paragraph separators). */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
/** Control characters that a text of several lines has no use for: all but tab, line feed and carriage return. */
const CONTROL_BUT_BREAKS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/
/**
 * Bidirectional formatting and characters that show nothing, which make one name look like another or like none.
 * Variation selectors are let through: emoji carry them.
 */
const DECEPTIVE = /[\p{Bidi_Control}\ufff9-\ufffb[\p{Default_Ignorable_Code_Point}--[\ufe00-\ufe0f]]]/v

/** The form in which a one-line text is checked and stored: trimmed, NFC. */
export const normalizeLine = (value: string): string => value.trim().normalize('NFC')

/** Whether a one-line text is fit to be shown as a name. Zero-width joiners inside emoji are refused as well. */
export const isSingleLine = (value: string): boolean => !CONTROL.test(value) && !DECEPTIVE.test(value)

export const isMultiLine = (value: string): boolean => !CONTROL_BUT_BREAKS.test(value)

const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** Refused before the conversion, which would drop a path, line breaks and percent signs without a word. */
const WRITTEN_DOMAIN = /^[A-Za-z0-9.\u0080-\u{10ffff}-]+$/u
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * An address in the form in which it is stored, and the key by which two addresses are the same account: the local part
 * is compared without regard to letter case and must be ASCII, the domain in its ASCII form (UTS 46).
 *
 * @returns undefined for what is no address of this kind
 */
export const parseEmail = (value: string): { email: string; key: string } | undefined => {
  const trimmed = value.trim()
  const at = trimmed.lastIndexOf('@')
  if (at < 1 || trimmed.length > 254) return undefined
  const local = trimmed.slice(0, at)
  const written = trimmed.slice(at + 1)
  if (local.length > 64 || !LOCAL_PART.test(local)) return undefined
  const domain = parseDomain(written)
  if (domain === undefined) return undefined
  return { email: `${local}@${domain}`, key: `${local.toLowerCase()}@${domain}` }
}

/** A domain name with at least one dot in its ASCII form (UTS 46), in lower case; undefined for what is none. */
export const parseDomain = (written: string): string | undefined => {
  if (!WRITTEN_DOMAIN.test(written)) return undefined
  const domain = domainToASCII(written)
  return domain.length > 253 || !DOMAIN.test(domain) || /^[\d.]+$/.test(domain) ? undefined : domain
}

/** Text for an HTML page or mail. */
export const escapeHtml = (value: string): string => value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Whether text has no NUL and no lone surrogate: what Postgres stores and gives back unchanged. */
export const isStorable = (value: string): boolean => !value.includes('\u0000') && value.isWellFormed()
