import { ActionIcon, Button } from '@mantine/core'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { IconChevronLeft, IconChevronRight } from '../page-icons.tsx'
import classes from './dates.module.css'
import { formatMonth, formatWholeDay } from './dates.ts'
import { addDays, addMonths, today, weekdayOf, weeksOf } from './days.ts'

export interface CalendarProps {
  /** `2031-02-03`, or empty. */
  day: string
  /** @param day empty: none */
  onChoose: (day: string) => void
}

const WEEKDAYS = [
  ['Mo', 'Monday'],
  ['Tu', 'Tuesday'],
  ['We', 'Wednesday'],
  ['Th', 'Thursday'],
  ['Fr', 'Friday'],
  ['Sa', 'Saturday'],
  ['Su', 'Sunday'],
] as const

const KEYS: Record<string, (day: string, isShift: boolean) => string> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => addDays(day, -weekdayOf(day)),
  End: (day) => addDays(day, 6 - weekdayOf(day)),
  PageUp: (day, isShift) => addMonths(day, isShift ? -12 : -1),
  PageDown: (day, isShift) => addMonths(day, isShift ? 12 : 1),
}

/**
 * A month, with the keys of the WAI-ARIA date picker: arrows, Home and End, Page Up and Page Down (with Shift by a
 * year).
 */
export const Calendar = ({ day, onChoose }: CalendarProps) => {
  const [at, setAt] = useState(day || today())
  const heading = useId()
  const grid = useRef<HTMLTableElement>(null)
  const isMoved = useRef(false)
  useLayoutEffect(() => {
    if (isMoved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    isMoved.current = false
  }, [at])
  const press = (event: KeyboardEvent) => {
    const move = KEYS[event.key]
    if (!move) return
    event.preventDefault()
    isMoved.current = true
    setAt(move(at, event.shiftKey))
  }
  return (
    <div className={classes.calendar}>
      <div className={classes.months}>
        <ActionIcon aria-label="Previous month" onClick={() => setAt(addMonths(at, -1))}>
          <IconChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <h2 id={heading} className={classes.month} aria-live="polite">
          {formatMonth(at)}
        </h2>
        <ActionIcon aria-label="Next month" onClick={() => setAt(addMonths(at, 1))}>
          <IconChevronRight size={16} aria-hidden />
        </ActionIcon>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- the pattern of the WAI-ARIA date picker */}
      <table ref={grid} role="grid" aria-labelledby={heading} className={classes.days} onKeyDown={press}>
        <thead>
          <tr>
            {WEEKDAYS.map(([short, long]) => (
              <th key={short} scope="col" abbr={long}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(at).map((week) => (
            <tr key={week[0]}>
              {week.map((other) => (
                <td key={other} aria-selected={other === day}>
                  <button
                    type="button"
                    className={classes.day}
                    tabIndex={other === at ? 0 : -1}
                    data-autofocus={other === at || undefined}
                    data-outside={other.slice(0, 7) !== at.slice(0, 7) || undefined}
                    data-chosen={other === day || undefined}
                    aria-current={other === today() ? 'date' : undefined}
                    aria-label={formatWholeDay(other)}
                    onClick={() => onChoose(other)}
                  >
                    {Number(other.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className={classes.shortcuts}>
        <Button variant="subtle" size="compact-xs" onClick={() => onChoose(today())}>
          Today
        </Button>
        {day !== '' && (
          <Button variant="subtle" size="compact-xs" color="gray" onClick={() => onChoose('')}>
            Clear
          </Button>
        )}
      </div>
    </div>
  )
}
