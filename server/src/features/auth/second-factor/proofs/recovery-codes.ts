import { createHmac, randomInt } from 'node:crypto'
import type { Keys } from '../../../../platform/crypto.ts'

const COUNT = 10
const GROUPS = 4
const GROUP_LENGTH = 4
/** Crockford's base 32: no letter that looks like a digit. 80 random bits per code. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export const newRecoveryCodes = (): string[] => Array.from({ length: COUNT }, newCode)

const newCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-')

/** Keyed, so that the stored rows are worthless without the key. All ways to type a code have one hash. */
export const recoveryCodeHash = (keys: Pick<Keys, 'recoveryCode'>, userId: string, code: string): Buffer =>
  hashWith(keys.recoveryCode[0], userId, code)

/** With each secret of the server, and with keys that are kept from secrets before. */
export const recoveryCodeHashes = (
  keys: Pick<Keys, 'recoveryCode'>,
  kept: readonly Buffer[],
  userId: string,
  code: string,
): Buffer[] => [...keys.recoveryCode, ...kept].map((key) => hashWith(key, userId, code))

const hashWith = (key: Buffer, userId: string, code: string): Buffer =>
  createHmac('sha256', key)
    .update(`${userId} ${normalized(code)}`)
    .digest()

const normalized = (code: string): string =>
  code.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
