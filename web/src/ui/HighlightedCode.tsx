import { type ReactNode, useEffect, useState } from 'react'
import type { Token } from './highlight.ts'
import { loadPart } from './load-part.ts'

/** Longer code is read slower than it is worth. */
const MAX_LENGTH = 50_000

/** Code, in colours once what knows its language is loaded. */
export const HighlightedCode = ({ code, language, children }: { code: string; language: string; children: ReactNode }) => {
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
  // What was read of an earlier text is not shown for this one.
  const isRead = tokens !== undefined && tokens.reduce((length, { text }) => length + text.length, 0) === code.length
  return (
    <code data-language={language}>
      {isRead
        ? tokens.map(({ text, classes }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- pieces of one text have no other name
            <span key={index} {...(classes && { className: classes })}>
              {text}
            </span>
          ))
        : children}
    </code>
  )
}
