import { domainToASCII, domainToUnicode } from 'node:url'
import { MASK } from '@sortie/contract/request-parts.ts'
import { createFinder, type Range } from './find-secrets.ts'

/** Hides secrets in a text. */
export type Mask = (text: string) => string

/** Parts of Base64 that are shorter than this say nothing, and stand in every text. */
const MIN_ENCODED = 4

/** Where names of hosts hold other letters than those of ASCII. */
const PUNYCODE = /xn--[a-z0-9-]{1,59}/gi

/**
 * The one way in which what was sent and received leaves: every secret becomes `••••`, as it is, as Base64 at any place in
 * a longer text, and as URLs, names of hosts, forms and JSON write it.
 */
export const createMask = (secrets: Iterable<string>): Mask => {
  const find = createFinder([...new Set([...secrets].flatMap(spellingsOf))])
  const hide: Mask = (text) => hideRanges(text, find(text))
  const hideLabel: Mask = (label) => {
    const read = domainToUnicode(label)
    return hide(read) === read ? label : MASK
  }
  return (text) => hide(text).replace(PUNYCODE, hideLabel)
}

/** @param ranges ordered by their ends; what touches or overlaps becomes one mask */
const hideRanges = (text: string, ranges: readonly Range[]): string => {
  const merged: Range[] = []
  for (const range of ranges.toReversed()) {
    const behind = merged.at(-1)
    if (behind && behind.from <= range.to) behind.from = Math.min(behind.from, range.from)
    else merged.push({ ...range })
  }
  let shown = ''
  let rest = 0
  for (const { from, to } of merged.toReversed()) {
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
  // Names of hosts and media types are written in lower case.
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
  return [...plain, ...escaped, ...encoded.filter(({ length }) => length >= MIN_ENCODED)].filter((spelling) => spelling !== '')
}

/** The characters of Base64 that these bytes alone decide, behind so many bytes of others. */
const innerBase64 = (bytes: Buffer, offset: number): string => {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
}
