import type { Parser } from '@lezer/common'
import { parser as css } from '@lezer/css'
import { classHighlighter, highlightCode } from '@lezer/highlight'
import { parser as html } from '@lezer/html'
import { parser as javascript } from '@lezer/javascript'

/** A piece of code, and the classes of its look. */
export interface Token {
  text: string
  classes: string
}

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

/** Cuts code into pieces by what they are. Undefined where the language is not known. */
export const highlight = (code: string, language: string): Token[] | undefined => {
  const parser = PARSERS.get(language.toLowerCase())
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
