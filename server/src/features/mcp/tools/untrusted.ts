import { invalid } from '../../../platform/errors.ts'
import type { Arguments } from './input.ts'

/** A call that continues where a text was cut. */
export interface NextCall {
  tool: string
  arguments: Arguments
}

/** In UTF-16 units: one text of an object in a list. */
const LISTED_TEXT = 400
/** In UTF-16 units: all texts of one object that is read by itself. */
const WHOLE_TEXT = 12_000

type Item = Record<string, unknown>

/** The argument with which a tool reads on in a text. */
export const TEXT_FROM = {
  textFrom: {
    type: 'integer',
    minimum: 0,
    maximum: 100_000_000,
    description: 'Where to read on in the text under `untrusted`: the value that `next` of the last answer has.',
  },
}

/**
 * Moves the fields that hold text of targets and tools under `untrusted`, and shortens them.
 *
 * @param readOn the call that reads the whole object
 */
export const listed = (item: Item, fields: readonly string[], readOn?: NextCall): Item => {
  const { trusted, texts } = divide(item, fields)
  let truncated = false
  const shortened = Object.entries(texts).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (text.length <= LISTED_TEXT) return [name, value]
    truncated = true
    return [name, cut(text, 0, LISTED_TEXT)]
  })
  return {
    ...trusted,
    untrusted: { ...Object.fromEntries(shortened), truncated, next: truncated ? (readOn ?? null) : null },
  }
}

/**
 * Like `listed`, for one object: as it is if it is short, otherwise a piece of its JSON.
 *
 * @param from where the piece starts, in UTF-16 units
 * @param readOn the call that reads this object; the piece that follows is added to it
 */
export const whole = (item: Item, fields: readonly string[], from: unknown, readOn?: NextCall): Item => {
  const { trusted, texts } = divide(item, fields)
  if (from !== undefined && (!Number.isSafeInteger(from) || (from as number) < 0))
    throw invalid('textFrom: must be a whole number, from 0')
  const start = (from as number | undefined) ?? 0
  const json = JSON.stringify(texts)
  if (start === 0 && json.length <= WHOLE_TEXT)
    return { ...trusted, untrusted: { ...texts, truncated: false, next: null } }
  const piece = cut(json, start, WHOLE_TEXT)
  const end = start + piece.length
  const truncated = end < json.length
  const next = truncated && readOn ? { tool: readOn.tool, arguments: { ...readOn.arguments, textFrom: end } } : null
  return { ...trusted, untrusted: { json: piece, truncated, next } }
}

const divide = (item: Item, fields: readonly string[]) => {
  const trusted: Item = {}
  const texts: Item = {}
  for (const [name, value] of Object.entries(item)) {
    if (!fields.includes(name)) trusted[name] = value
    else if (value !== null && value !== '') texts[name] = value
  }
  return { trusted, texts }
}

/** Does not split a surrogate pair, as long as it makes progress. */
const cut = (text: string, from: number, length: number): string => {
  const piece = text.slice(from, from + length)
  const isSplit = from + length < text.length && /[\ud800-\udbff]$/.test(piece)
  return isSplit ? piece.slice(0, -1) : piece
}
