import { constantTimeEqual, type Key, sign, signaturesOf } from '../crypto.ts'
import { badRequest } from '../errors.ts'

/** The position of a row in a list: its sort value as Postgres writes it, and its id, which orders equal values. */
export interface ListPosition {
  value: string
  id: string
}

/** Characters of the signature in a cursor: 96 bits. */
const MAC_LENGTH = 16
/** Maximum length of a value: with the longest id it fits into a cursor of 1,000 characters. */
const MAX_VALUE_BYTES = 690
const CODE_POINT_BYTES = 3

/**
 * Makes an opaque cursor for one list with one set of filters and one sort, for one organization: `about` identifies
 * them. The signature proves that a returned cursor was made here.
 */
export const sealCursor = (key: Key, about: unknown, { value, id }: ListPosition): string => {
  const place = `${id}.${packText(value)}`
  return `${sign(key, signedOf(about, place)).slice(0, MAC_LENGTH)}.${place}`
}

/** @throws ApiError BAD_REQUEST for anything that was not made for this list, filters and sort */
export const openCursor = (key: Key, about: unknown, cursor: string): ListPosition => {
  const [mac = '', id = '', packed = ''] = cursor.split('.', 3)
  const isSigned = signaturesOf(key, signedOf(about, `${id}.${packed}`)).some((expected) =>
    constantTimeEqual(Buffer.from(mac), Buffer.from(expected.slice(0, MAC_LENGTH))),
  )
  const isOurs = isSigned && cursor === `${mac}.${id}.${packed}`
  if (!isOurs) throw badRequest('cursor: must be a cursor of this list, with the same filters and sort')
  return { id, value: unpackText(packed) }
}

/**
 * Checks the cursor of a list whose position is not secret, such as the number of its last row.
 *
 * @throws ApiError BAD_REQUEST
 */
export const requireCursor = (cursor: string | undefined, form: RegExp): void => {
  if (cursor !== undefined && !form.test(cursor)) throw badRequest('cursor: must be a cursor of this list')
}

const signedOf = (about: unknown, place: string): string => `${JSON.stringify(about)}\n${place}`

/** Three bytes per code point where UTF-8 uses up to four: names of 200 characters fit in any script. */
const packText = (text: string): string => {
  const plain = Buffer.from(text)
  if (plain.length <= MAX_VALUE_BYTES) return `u${plain.toString('base64url')}`
  const codePoints = [...text].map((character) => character.codePointAt(0) as number)
  const wide = Buffer.alloc(codePoints.length * CODE_POINT_BYTES)
  for (const [index, codePoint] of codePoints.entries())
    wide.writeUIntBE(codePoint, index * CODE_POINT_BYTES, CODE_POINT_BYTES)
  if (wide.length > MAX_VALUE_BYTES)
    throw new Error(`a sort value of ${plain.length} bytes fits into no cursor: sort by a shorter order key`)
  return `w${wide.toString('base64url')}`
}

const unpackText = (packed: string): string => {
  const bytes = Buffer.from(packed.slice(1), 'base64url')
  if (packed.startsWith('u')) return bytes.toString()
  let text = ''
  for (let at = 0; at < bytes.length; at += CODE_POINT_BYTES)
    text += String.fromCodePoint(bytes.readUIntBE(at, CODE_POINT_BYTES))
  return text
}
