import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * `svc_live_` or `svc_test_`, 43 base62 characters from 256 random bits, 6 base62 characters of CRC-32 over all before
 * them. The checksum tells a mistyped key from a deleted one without asking the database, and lets scanners that look
 * for leaked keys be sure.
 */
export type KeyEnvironment = 'live' | 'test'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BODY_LENGTH = 43
const CHECKSUM_LENGTH = 6
const FORMAT = /^(svc_(?:live|test)_[0-9A-Za-z]{43})[0-9A-Za-z]{6}$/

/** 43 base62 digits hold 256 bits: the whole random number is written out, so no digit is likelier than its place makes it. */
export const generateKey = (environment: KeyEnvironment): string =>
  withChecksum(`svc_${environment}_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), BODY_LENGTH)}`)

export const withChecksum = (prefixAndBody: string): string => prefixAndBody + checksum(crc32(prefixAndBody))

export const isWellFormedKey = (value: string): boolean => {
  const match = FORMAT.exec(value)
  return match !== null && withChecksum(match[1] as string) === value
}

const checksum = (number: number): string => {
  let digits = ''
  for (let rest = number; digits.length < CHECKSUM_LENGTH; rest = Math.floor(rest / ALPHABET.length)) digits = ALPHABET[rest % ALPHABET.length] + digits
  return digits
}

const base62 = (number: bigint, length: number): string => {
  let digits = ''
  for (let rest = number; digits.length < length; rest /= 62n) digits = ALPHABET[Number(rest % 62n)] + digits
  return digits
}
