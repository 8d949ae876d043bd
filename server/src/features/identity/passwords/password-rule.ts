import { invalid } from '../../../platform/errors.ts'
import { PUBLISHED_PASSWORDS } from './published-passwords.ts'

const MIN_LENGTH = 12
const MAX_LENGTH = 128
/** Shorter pieces of a name would make up too much. */
const MIN_WORD = 3

/** How much is looked at of what may be added to the end of a common password. */
const MAX_ENDING = 12

/** Without digits, as letters are compared. */
const WORDS_OF_EVERYBODY =
  'password passwrd passwort qwerty letmein welcome iloveyou abc secret admin administrator root login user default changeme sortie'.split(' ')

/**
 * The rule for every new password, wherever it is set: 12 to 128 characters of any kind, none that everybody tries first
 * (ASVS 6.2). Too easy to guess is, without regard to letter case and to digits, punctuation and spaces around it: one of
 * the commonest passwords; one that this product has published; and what consists of nothing but words of this product,
 * of its operator and of the person.
 *
 * @param texts what those words are taken from: names, addresses, hosts
 * @param field what the message calls it
 * @returns the password as it is hashed (NFC)
 * @throws ApiError VALIDATION_ERROR
 */
export const requireUsable = async (password: string, texts: readonly string[], field: string): Promise<string> => {
  const normal = password.normalize('NFC')
  const length = [...normal].length
  if (length < MIN_LENGTH) throw invalid(`${field}: must have at least ${MIN_LENGTH} characters`)
  if (length > MAX_LENGTH) throw invalid(`${field}: must have at most ${MAX_LENGTH} characters`)
  const lower = normal.toLowerCase()
  if (/^(.)\1+$/u.test(lower) || consistsOf(lower, texts) || (await isCommon(lower))) {
    throw invalid(`${field}: is too easy to guess. Choose four words or more that have nothing to do with each other, with you or with this server`)
  }
  return normal
}

export const isTooLong = (password: string): boolean => [...password].length > MAX_LENGTH

/** The list is read when the first password is set: it takes 2 MB. */
const isCommon = async (lower: string): Promise<boolean> => {
  const { default: commonPasswords } = await import('fxa-common-password-list')
  return undecorated(lower).some((candidate) => PUBLISHED_PASSWORDS.includes(candidate) || commonPasswords.test(candidate))
}

/** The text; what stands before the digits and punctuation at its end, however many of them belong to it; its letters' span. */
const undecorated = (lower: string): string[] => {
  const ending = /[^\p{L}]*$/u.exec(lower.slice(-MAX_ENDING))?.[0].length ?? 0
  const beginnings = Array.from({ length: ending + 1 }, (_, dropped) => lower.slice(0, lower.length - dropped))
  return [...beginnings, lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')]
}

/** Whether the letters of a text are words of these texts and of everybody, one after the other and nothing else. */
const consistsOf = (lower: string, texts: readonly string[]): boolean => {
  const letters = lettersOf(lower)
  if (letters === '') return false
  const words = [...new Set([...WORDS_OF_EVERYBODY, ...texts.flatMap(wordsOf)])]
  const isReached = [true]
  for (let end = 1; end <= letters.length; end++) {
    isReached[end] = words.some((word) => isReached[end - word.length] === true && letters.endsWith(word, end))
  }
  return isReached[letters.length] === true
}

/** `Northwind Security` → northwind, security, northwindsecurity */
const wordsOf = (text: string): string[] => {
  const lower = text.normalize('NFC').toLowerCase()
  return [...lower.split(/[^\p{L}]+/u), lettersOf(lower)].filter((word) => word.length >= MIN_WORD)
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}]+/gu, '')
