import { ActionIcon } from '@mantine/core'
import { type KeyboardEvent, Suspense, useRef, useState } from 'react'
import { lazyPart } from '../load-part.ts'
import { IconCalendar } from '../page-icons.tsx'
import { formatDay, formatLocalTime, formatTimeOfDay } from './dates.ts'
import {
  localNow,
  readDay,
  readLocalTime,
  readTime,
  readWholeDay,
  readWholeLocalTime,
  readWholeTime,
} from './read-dates.ts'
import { WrittenField, type WrittenFieldProps } from './WrittenField.tsx'

const CalendarPopover = lazyPart(() => import('./CalendarPopover.tsx'), 'CalendarPopover')

/** A day, written or chosen from a calendar: `2031-02-03`, or empty. */
export const DateField = (props: WrittenFieldProps) => (
  <CalendarField
    {...props}
    write={formatDay}
    readWhole={readWholeDay}
    read={readDay}
    problem={`Enter a day such as ${formatDay('2031-02-03')}.`}
    dayIn={(value) => value}
    withDay={(_, day) => day}
  />
)

/** A day and a time in the browser's time zone: `2031-02-03T14:05`, or empty. */
export const DateTimeField = (props: WrittenFieldProps) => (
  <CalendarField
    {...props}
    write={formatLocalTime}
    readWhole={readWholeLocalTime}
    read={readLocalTime}
    problem={`Enter a day and a time such as ${formatLocalTime('2031-02-03T14:05')}.`}
    dayIn={(value) => value.slice(0, 10)}
    withDay={(value, day) => `${day}${(value || localNow()).slice(10)}`}
  />
)

/** A time of day: `14:05`. */
export const TimeField = (props: WrittenFieldProps) => (
  <WrittenField
    {...props}
    write={formatTimeOfDay}
    readWhole={readWholeTime}
    read={readTime}
    problem={`Enter a time such as ${formatTimeOfDay('14:05')}.`}
  />
)

interface CalendarFieldProps extends WrittenFieldProps {
  write: (value: string) => string
  readWhole: (text: string) => string | undefined
  read: (text: string) => string | undefined
  problem: string
  dayIn: (value: string) => string
  /** The value with another day. */
  withDay: (value: string, day: string) => string
}

const CalendarField = ({ dayIn, withDay, onKeyDown, onChosen, ...props }: CalendarFieldProps) => {
  const { value, onChange, disabled } = props
  const [isOpened, setOpened] = useState(false)
  const [chosen, setChosen] = useState(0)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <WrittenField
        {...props}
        chosen={chosen}
        onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
          if (event.key === 'ArrowDown') {
            event.preventDefault()
            setOpened(true)
          }
          onKeyDown?.(event)
        }}
        rightSection={
          <ActionIcon
            ref={button}
            size="sm"
            aria-label="Choose a day"
            aria-haspopup="dialog"
            aria-expanded={isOpened}
            disabled={disabled === true}
            onClick={() => setOpened(!isOpened)}
          >
            <IconCalendar size={14} aria-hidden />
          </ActionIcon>
        }
      />
      <Suspense>
        {isOpened && button.current && (
          <CalendarPopover
            button={button.current}
            day={dayIn(value ?? '')}
            onClose={() => setOpened(false)}
            onChoose={(day) => {
              setOpened(false)
              setChosen(chosen + 1)
              onChange(day === '' ? '' : withDay(value ?? '', day))
              onChosen?.()
            }}
          />
        )}
      </Suspense>
    </>
  )
}
