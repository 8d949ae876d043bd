import { visit } from 'jsonc-parser'
import { badRequest } from './errors.ts'
import { isStorable } from './text.ts'

const MAX_DEPTH = 32
const MAX_KEYS = 2_000
/** `JSON.parse` makes an own property of this key, but code that merges objects would not. */
const FORBIDDEN_KEYS = new Set(['__proto__'])

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads a JSON body strictly: UTF-8 without byte order mark, one object, no key twice in an object, at most 32 levels
 * deep and 2,000 keys, no NUL and no lone surrogate in any text (open point 32).
 *
 * @throws ApiError BAD_REQUEST that says what could not be read
 */
export const parseJsonObject = (bytes: Buffer): Record<string, unknown> => {
  const text = decode(bytes)
  if (nesting(text) > MAX_DEPTH) throw badRequest(`The body is nested deeper than ${MAX_DEPTH} levels.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw badRequest('The body is not valid JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('The body must be a JSON object.')
  }
  refuseAmbiguity(text)
  return value as Record<string, unknown>
}

const decode = (bytes: Buffer): string => {
  try {
    return decoder.decode(bytes)
  } catch {
    throw badRequest('The body is not valid UTF-8.')
  }
}

/** Deepest bracket level outside of strings, without recursion and without trusting the text to be JSON. */
const nesting = (text: string): number => {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === 0x5c) i++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x7d || code === 0x5d) depth--
  }
  return deepest
}

const refuseAmbiguity = (text: string): void => {
  const open: Set<string>[] = []
  let keys = 0
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (name) => {
      if (++keys > MAX_KEYS) throw badRequest(`The body has more than ${MAX_KEYS} keys.`)
      if (FORBIDDEN_KEYS.has(name)) throw badRequest(`The body has the key ${quote(name)}, which is not allowed.`)
      if (!isStorable(name)) throw badRequest('The body has a key with a NUL character or half a surrogate pair.')
      const siblings = open.at(-1)
      if (siblings?.has(name)) throw badRequest(`The body has the key ${quote(name)} twice.`)
      siblings?.add(name)
    },
    onLiteralValue: (value) => {
      if (typeof value === 'string' && !isStorable(value)) {
        throw badRequest('The body has a text with a NUL character or half a surrogate pair.')
      }
    },
  })
}

const quote = (name: string) => JSON.stringify(name.slice(0, 60))
