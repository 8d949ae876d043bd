import { FILE_NAME_TOKENS } from '@sortie/contract/reports/template-settings.ts'
import { invalid } from '../../platform/errors.ts'

export type FileNameValues = Readonly<Record<(typeof FILE_NAME_TOKENS)[number], string>>

const isToken = (word: string): word is keyof FileNameValues => (FILE_NAME_TOKENS as readonly string[]).includes(word)

/** Texts and tokens of a pattern in turns; a brace without its counterpart is text. */
const partsOf = (pattern: string): { text: string; token: string | null }[] => {
  const [start = '', ...rest] = pattern.split('{')
  const parts: { text: string; token: string | null }[] = [{ text: start, token: null }]
  for (const piece of rest) {
    const end = piece.indexOf('}')
    if (end === -1) parts.push({ text: `{${piece}`, token: null })
    else parts.push({ text: '', token: piece.slice(0, end) }, { text: piece.slice(end + 1), token: null })
  }
  return parts
}

/** @throws ApiError VALIDATION_ERROR for a token that does not exist */
export const requireFileNamePattern = (field: string, pattern: string): void => {
  for (const { token } of partsOf(pattern)) {
    if (token === null || isToken(token)) continue
    const known = FILE_NAME_TOKENS.map((name) => `{${name}}`).join(', ')
    throw invalid(`${field}: {${token}} is not a token; the tokens are ${known}`)
  }
}

/** Characters that Windows, macOS or a shell refuse or interpret in the name of a file. */
const REFUSED = new Set('<>:"/\\|?*')
const MAX_LENGTH = 150

/** The name of a file without its ending. Values are inserted once; characters that file systems refuse become spaces. */
export const fileNameFrom = (pattern: string, values: FileNameValues): string => {
  const name = partsOf(pattern)
    .map(({ text, token }) => (token === null ? text : isToken(token) ? values[token] : `{${token}}`))
    .join('')
  const plain = [...name].map((c) => (REFUSED.has(c) || c < ' ' || c === '\u007f' ? ' ' : c)).join('')
  const words = plain.split(' ').filter((word) => word !== '')
  const short = [...words.join(' ')].slice(0, MAX_LENGTH).join('').trim()
  // Windows drops dots at the end, and a name that begins with one is hidden on other systems.
  const isDot = (c: string | undefined) => c === '.' || c === ' '
  let from = 0
  let to = short.length
  while (from < to && isDot(short[from])) from++
  while (to > from && isDot(short[to - 1])) to--
  return short.slice(from, to) || 'report'
}
