import { randomInt } from 'node:crypto'
import { randomToken, sha256, signaturesOf, type Keys } from '../../platform/crypto.ts'

/** Consonants only (RFC 8628, section 6.1): no word appears by chance, and no letter looks like a digit. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** `WDJBMJHT`: 34 bits, enough for ten minutes with the limits on guesses. */
export const newUserCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** `WDJB-MJHT`, as terminals show it. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** As it is entered: case, spaces and hyphens do not matter. */
export const hashUserCode = (keys: Keys, entered: string): Buffer => hashesOfUserCode(keys, entered)[0] as Buffer

/** With each secret of the server, the newest first. */
export const hashesOfUserCode = (keys: Keys, entered: string): Buffer[] =>
  signaturesOf(keys.deviceLogin, entered.toUpperCase().replaceAll(/[^A-Z]/g, '')).map((signature) => sha256(signature))

export const newDeviceCode = (): string => randomToken()

export const hashDeviceCode = (code: string): Buffer => sha256(code)
