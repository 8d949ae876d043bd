import { badRequest } from '../errors.ts'
import { isStorable } from '../text.ts'

/**
 * Reads `a=b&c=d` strictly: each name once, valid percent-encoding of what can be stored, whole numbers in digits only
 * (open point 17). A request line, and so a query string, has at most 16 KiB.
 *
 * @param integers names of the parameters that are whole numbers
 * @throws ApiError BAD_REQUEST
 */
export const parseQuery = (raw: string, integers: readonly string[]): Record<string, unknown> => {
  const values: Record<string, unknown> = Object.create(null)
  if (raw === '') return values
  for (const pair of raw.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decodePart(equals < 0 ? pair : pair.slice(0, equals))
    const value = decodePart(equals < 0 ? '' : pair.slice(equals + 1))
    if (name in values) throw badRequest(`${shortened(name)}: is given more than once`)
    values[name] = integers.includes(name) && /^[1-9][0-9]{0,6}$/.test(value) ? Number(value) : value
  }
  return values
}

const decodePart = (part: string): string => {
  let text: string
  try {
    text = decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    throw badRequest('The query string is not validly encoded.')
  }
  if (!isStorable(text)) throw badRequest('The query string contains a character that is not allowed.')
  return text
}

/** A name that came from outside, short enough to be repeated in a message. */
export const shortened = (name: string) => (name.length > 60 ? `${name.slice(0, 60)}…` : name)
