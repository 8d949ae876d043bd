import { flushSync } from 'react-dom'

/**
 * Adds a line of fields and puts the focus into the first of them: what is typed next never goes into the field that
 * happens to follow the button.
 *
 * @param within what holds the lines, each an `li` or a `group`
 */
export const addLine = (within: Element | null, change: () => void): void => {
  flushSync(change)
  const lines = within?.querySelectorAll('li, [role="group"]')
  lines
    ?.item(lines.length - 1)
    ?.querySelector<HTMLElement>(':is(input, select, textarea):not(:disabled)')
    ?.focus()
}
