import { type ReactNode, useEffect, useState } from 'react'
import { loadPart } from '../../load-part.ts'
import type { Token } from './token.ts'
import classes from './tokens.module.css'

/** Limit for highlighting: longer code takes too long. */
const MAX_LENGTH = 50_000

/** Code, highlighted once the parser of its language is loaded. */
export const HighlightedCode = ({
  code,
  language,
  children,
}: {
  code: string
  language: string
  children: ReactNode
}) => {
  const [tokens, setTokens] = useState<readonly Token[]>()
  useEffect(() => {
    if (code.length > MAX_LENGTH) return undefined
    let isCurrent = true
    void loadPart(() => import('./highlight.ts')).then(({ highlight }) => {
      if (isCurrent) setTokens(highlight(code, language))
    })
    return () => {
      isCurrent = false
    }
  }, [code, language])
  // Ignores the result of an earlier text.
  const isRead = tokens !== undefined && tokens.reduce((length, { text }) => length + text.length, 0) === code.length
  return (
    <code className={classes.tokens} data-language={language}>
      {isRead
        ? tokens.map(({ text, classes }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- tokens have no id
            <span key={index} {...(classes && { className: classes })}>
              {text}
            </span>
          ))
        : children}
    </code>
  )
}
