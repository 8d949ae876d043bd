import { invalid } from '../../../platform/errors.ts'
import { PUBLISHED_PASSWORDS } from './published-passwords.ts'

const MIN_LENGTH = 12
const MAX_LENGTH = 128
/** Shorter parts of a name would match too many passwords. */
const MIN_WORD = 3

/** Characters at the end of a password that are examined as a suffix of a common one. */
const MAX_ENDING = 12

/** Without digits, because only letters are compared. */
const WORDS_OF_EVERYBODY =
  'password passwrd passwort qwerty letmein welcome iloveyou abc secret admin administrator root login user default changeme sortie'.split(
    ' ',
  )

/**
 * The rule for every new password: 12 to 128 characters of any kind, and not easy to guess (ASVS 6.2). Letter case, and
 * digits, punctuation and spaces around the password are ignored. Refused are: the most common passwords; passwords
 * that this product has published; passwords that consist only of words of this product, of its operator and of the
 * user.
 *
 * @param texts sources of those words: names, addresses, hosts
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
    throw invalid(
      `${field}: is too easy to guess. Choose four words or more that have nothing to do with each other, with you or with this server`,
    )
  }
  return normal
}

export const isTooLong = (password: string): boolean => [...password].length > MAX_LENGTH

/** The list is loaded when the first password is set: it takes 2 MB. */
const isCommon = async (lower: string): Promise<boolean> => {
  const { default: commonPasswords } = await import('fxa-common-password-list')
  return undecorated(lower).some(
    (candidate) => PUBLISHED_PASSWORDS.includes(candidate) || commonPasswords.test(candidate),
  )
}

/** The text; each prefix that drops some of the digits and punctuation at its end; the span of its letters. */
const undecorated = (lower: string): string[] => {
  const ending = /[^\p{L}]*$/u.exec(lower.slice(-MAX_ENDING))?.[0].length ?? 0
  const beginnings = Array.from({ length: ending + 1 }, (_, dropped) => lower.slice(0, lower.length - dropped))
  return [...beginnings, lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')]
}

/** @returns true if the letters of the text are nothing but words of these texts and common words, in sequence */
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
