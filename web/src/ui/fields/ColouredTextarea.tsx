import { Textarea, type TextareaProps } from '@mantine/core'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { loadPart } from '../load-part.ts'
import type { Token } from '../text/code/token.ts'
import tokenClasses from '../text/code/tokens.module.css'
import classes from './ColouredTextarea.module.css'

/** Longer text is not coloured: that would take longer than a key. */
const MAX_COLOURED = 50_000

type Highlight = (code: string, language: string) => Token[] | undefined
let loaded: Highlight | undefined

interface ColouredTextareaProps extends TextareaProps {
  value: string
  /** Undefined: plain text. */
  language: 'json' | 'html' | 'xml' | undefined
}

/**
 * A text field whose text is coloured while it is typed: below the field, whose own text is transparent, is a coloured
 * copy.
 */
export const ColouredTextarea = ({ value, language, ...props }: ColouredTextareaProps) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const copy = useRef<HTMLPreElement>(null)
  const highlight = useHighlight(language !== undefined)
  const tokens = useMemo(
    () => (highlight && language && value.length <= MAX_COLOURED ? highlight(value, language) : undefined),
    [highlight, language, value],
  )
  const isColoured = tokens !== undefined
  useLayoutEffect(() => {
    const [from, to] = [field.current, copy.current]
    if (!from || !to) return undefined
    const follow = () => place(from, to)
    follow()
    // It grows with its text, and with the window.
    const observer = new ResizeObserver(follow)
    observer.observe(from)
    return () => observer.disconnect()
  }, [isColoured, tokens])
  return (
    <div className={classes.root}>
      {tokens && (
        <pre ref={copy} className={`${classes.copy} ${tokenClasses.tokens}`} aria-hidden>
          <code>
            {tokens.map(({ text, classes: kinds }, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- tokens have no id
              <span key={index} {...(kinds && { className: kinds })}>
                {text}
              </span>
            ))}
            {'\n'}
          </code>
        </pre>
      )}
      <Textarea
        {...props}
        ref={field}
        value={value}
        spellCheck={false}
        classNames={{ input: classes.input as string }}
        data-coloured={isColoured || undefined}
        onScroll={() => field.current && copy.current && place(field.current, copy.current)}
      />
    </div>
  )
}

const useHighlight = (isWanted: boolean): Highlight | undefined => {
  const [, setLoaded] = useState(false)
  useEffect(() => {
    if (!isWanted || loaded) return undefined
    let isShown = true
    // Without it the field works, and shows plain text.
    void loadPart(() => import('../text/code/highlight.ts')).then(
      (module) => {
        loaded = module.highlight
        if (isShown) setLoaded(true)
      },
      () => undefined,
    )
    return () => {
      isShown = false
    }
  }, [isWanted])
  return isWanted ? loaded : undefined
}

const COPIED = [
  'fontFamily',
  'fontSize',
  'lineHeight',
  'letterSpacing',
  'tabSize',
  'padding',
  'borderWidth',
  'borderStyle',
] as const

/** Puts the copy exactly below the text of the field. */
const place = (field: HTMLTextAreaElement, copy: HTMLPreElement): void => {
  const [frame, box] = [(copy.parentElement as HTMLElement).getBoundingClientRect(), field.getBoundingClientRect()]
  const style = getComputedStyle(field)
  for (const name of COPIED) copy.style[name] = style[name]
  Object.assign(copy.style, {
    left: `${box.left - frame.left}px`,
    top: `${box.top - frame.top}px`,
    width: `${box.width}px`,
    height: `${box.height}px`,
  })
  copy.style.boxSizing = 'border-box'
  copy.scrollTop = field.scrollTop
}
