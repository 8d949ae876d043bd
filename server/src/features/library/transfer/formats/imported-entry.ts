import { createHash } from 'node:crypto'

/** An entry as a file has it; it is checked like the body of a request. */
export interface ImportedEntry {
  key?: unknown
  severity?: unknown
  cvssVector?: unknown
  cwe?: unknown
  owasp?: unknown
  wstg?: unknown
  attack?: unknown
  tags?: unknown
  rules?: unknown
  guidance?: unknown
  mainLanguage?: unknown
  texts?: unknown
}

export type Fields = Readonly<Record<string, unknown>>

export const fieldsIn = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
export const textIn = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
export const listIn = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null || value === '' ? [] : [value]

const MAX_TAG = 64
const MAX_TAGS = 50

/** Tags are single lines without commas. */
export const tagsFrom = (...values: unknown[]): string[] =>
  [
    ...new Set(
      values.flatMap(listIn).map((value) =>
        textIn(value)
          .replaceAll(/[\s,"]+/g, ' ')
          .trim(),
      ),
    ),
  ]
    .filter((tag) => tag !== '')
    .map((tag) => [...tag].slice(0, MAX_TAG).join(''))
    .slice(0, MAX_TAGS)

/** Lines with content, without the markers of lists. */
export const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*]|\d{1,3}\.)\s+/, '').trim())
    .filter((line) => line !== '')

const MAX_KEY = 40
/** Hexadecimal digits of the digest that distinguishes long titles. */
const DIGEST = 6

/**
 * A key from a title: its words in lower case, joined by hyphens. Long titles often differ only at their ends, so
 * theirs ends with a digest.
 */
export const keyFrom = (title: string): string => {
  const words = title
    .slice(0, 1_000)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  const characters = [...words]
  if (characters.length <= MAX_KEY) return words
  const digest = createHash('sha256').update(words).digest('hex').slice(0, DIGEST)
  return `${characters
    .slice(0, MAX_KEY - DIGEST - 1)
    .join('')
    .replace(/-$/, '')}-${digest}`
}

/** Names that people give to languages instead of codes. */
const LANGUAGES: Readonly<Record<string, string>> = {
  english: 'en',
  french: 'fr',
  français: 'fr',
  german: 'de',
  deutsch: 'de',
  spanish: 'es',
  español: 'es',
  italian: 'it',
  italiano: 'it',
  portuguese: 'pt',
  português: 'pt',
  dutch: 'nl',
  nederlands: 'nl',
}

/**
 * A language as BCP 47 writes it: `EN` is `en`, `pt_BR` is `pt-BR`. English if none is given; anything else stays as it
 * is.
 */
export const languageFrom = (value: unknown): string => {
  const text = textIn(value).trim().replaceAll('_', '-')
  if (text === '') return 'en'
  const known = LANGUAGES[text.toLowerCase()]
  if (known !== undefined) return known
  try {
    return Intl.getCanonicalLocales(text)[0] ?? text
  } catch {
    return text
  }
}

/** Values in the form of CWE-79. */
export const cweIn = (...values: unknown[]): string[] =>
  [
    ...new Set(values.flatMap(listIn).map((value) => /^(?:CWE-)?([1-9]\d{0,6})$/i.exec(textIn(value).trim())?.[1])),
  ].flatMap((number) => (number === undefined ? [] : [`CWE-${number}`]))

/** A vector with its prefix, as every version after 2 has it; others have no score here. */
export const vectorFrom = (value: unknown): string | null => {
  const vector = textIn(value).trim()
  return /^CVSS:(?:3\.[01]|4\.0)\//.test(vector) ? vector : null
}
