import type { Parser } from '@lezer/common'
import { parser as css } from '@lezer/css'
import { classHighlighter, highlightCode } from '@lezer/highlight'
import { parser as html } from '@lezer/html'
import { parser as javascript } from '@lezer/javascript'
import { http, python, shell, streamTokens } from './stream-tokens.ts'
import type { Token } from './token.ts'

const typescript = javascript.configure({ dialect: 'ts' })
const jsx = javascript.configure({ dialect: 'jsx' })
const tsx = javascript.configure({ dialect: 'jsx ts' })

const PARSERS: ReadonlyMap<string, Parser> = new Map<string, Parser>([
  ['css', css],
  ['html', html],
  ['svg', html],
  ['xml', html],
  ['js', javascript],
  ['javascript', javascript],
  ['json', javascript],
  ['jsx', jsx],
  ['ts', typescript],
  ['typescript', typescript],
  ['tsx', tsx],
])

/** Languages with a line-by-line parser. */
const STREAM_PARSERS: ReadonlyMap<string, (code: string) => Token[]> = new Map([
  ...['http', 'https'].map((name) => [name, (code: string) => streamTokens(code, http)] as const),
  ...['py', 'python', 'python3'].map((name) => [name, (code: string) => streamTokens(code, python)] as const),
  ...['bash', 'console', 'sh', 'shell', 'zsh'].map(
    (name) => [name, (code: string) => streamTokens(code, shell)] as const,
  ),
])

/** Splits code into tokens; undefined for an unknown language. */
export const highlight = (code: string, language: string): Token[] | undefined => {
  const name = language.toLowerCase()
  const inLines = STREAM_PARSERS.get(name)
  if (inLines) return inLines(code)
  const parser = PARSERS.get(name)
  if (!parser) return undefined
  const tokens: Token[] = []
  highlightCode(
    code,
    parser.parse(code),
    classHighlighter,
    (text, classes) => tokens.push({ text, classes }),
    () => tokens.push({ text: '\n', classes: '' }),
  )
  return tokens
}
