import { type RefObject, useEffect, useState } from 'react'
import classes from '../wiki.module.css'

interface Heading {
  element: HTMLElement
  text: string
  level: number
}

/** With fewer, the page is its own outline. */
const MIN_HEADINGS = 3

/** Headings of a text as links. A long text is rendered in parts, so that headings may appear later. */
export const Outline = ({ of }: { of: RefObject<HTMLElement | null> }) => {
  const [headings, setHeadings] = useState<readonly Heading[]>([])
  useEffect(() => {
    const text = of.current
    if (!text) return undefined
    const read = () =>
      setHeadings(
        [...text.querySelectorAll<HTMLElement>('h2, h3, h4')].map((element) => ({
          element,
          text: element.textContent ?? '',
          level: Number(element.tagName.slice(1)) - 1,
        })),
      )
    const observer = new MutationObserver(read)
    observer.observe(text, { childList: true, subtree: true, characterData: true })
    read()
    return () => observer.disconnect()
  }, [of])
  if (headings.length < MIN_HEADINGS) return null
  const show = ({ element }: Heading) => {
    element.tabIndex = -1
    element.focus({ preventScroll: true })
    element.scrollIntoView({ block: 'start' })
  }
  return (
    <nav className={classes.outline} aria-label="On this page">
      <ul>
        {headings.map((heading, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two headings can have the same text
          <li key={index} data-level={heading.level}>
            <button type="button" onClick={() => show(heading)}>
              {heading.text}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
