import { domainToASCII, domainToUnicode } from 'node:url'
import { MASK } from '@sortie/contract/requests/request-parts.ts'
import { createFinder, type Range } from './find-secrets.ts'

/** Hides secrets in a text. */
export interface Mask {
  (text: string): string
  /** Where they are in it; sorted, and none touch. */
  rangesIn(text: string): Range[]
}

/** Shorter parts of Base64 reveal nothing, and occur in every text. */
const MIN_ENCODED = 4

/** Host names with non-ASCII characters. */
const PUNYCODE = /xn--[a-z0-9-]{1,59}/gi

/**
 * Masks everything that was sent and received before it is stored or shown: each secret becomes `••••`, in plain text,
 * in Base64 at any offset, and in the encodings of URLs, host names, forms and JSON.
 */
export const createMask = (secrets: Iterable<string>): Mask => {
  const find = createFinder([...new Set([...secrets].flatMap(spellingsOf))])
  const hide = (text: string) => hideRanges(text, find(text))
  const hideLabel = (label: string) => {
    const read = domainToUnicode(label)
    return hide(read) === read ? label : MASK
  }
  return Object.assign((text: string) => hide(text).replace(PUNYCODE, hideLabel), {
    rangesIn: (text: string) => mergeRanges(find(text)),
  })
}

/** @param ranges sorted by their ends; adjacent or overlapping ones become one */
const mergeRanges = (ranges: readonly Range[]): Range[] => {
  const merged: Range[] = []
  for (const range of ranges.toReversed()) {
    const behind = merged.at(-1)
    if (behind && behind.from <= range.to) behind.from = Math.min(behind.from, range.from)
    else merged.push({ ...range })
  }
  return merged.toReversed()
}

/** @param ranges sorted by their ends; adjacent or overlapping ones become one mask */
const hideRanges = (text: string, ranges: readonly Range[]): string => {
  let shown = ''
  let rest = 0
  for (const { from, to } of mergeRanges(ranges)) {
    shown += text.slice(rest, from) + MASK
    rest = to
  }
  return shown + text.slice(rest)
}

const spellingsOf = (secret: string): string[] => {
  if (secret === '') return []
  const bytes = Buffer.from(secret)
  const percent = encodeURIComponent(secret)
  const strict = percent.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  const form = new URLSearchParams({ a: secret }).toString().slice(2)
  // Host names and media types are in lower case.
  const plain = [
    secret,
    secret.toLowerCase(),
    bytes.toString('latin1'),
    JSON.stringify(secret).slice(1, -1),
    encodeURI(secret),
    percent,
    strict,
    form,
    domainToASCII(secret),
  ]
  const encoded = [0, 1, 2].flatMap((offset) => {
    const base64 = innerBase64(bytes, offset)
    return [base64, base64.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(base64)]
  })
  const escaped = [percent, strict, form].map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))
  return [...plain, ...escaped, ...encoded.filter(({ length }) => length >= MIN_ENCODED)].filter(
    (spelling) => spelling !== '',
  )
}

/** Returns the Base64 characters that depend only on these bytes, after `offset` other bytes. */
const innerBase64 = (bytes: Buffer, offset: number): string => {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
}
