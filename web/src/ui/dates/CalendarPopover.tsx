import { Popover } from '@mantine/core'
import { FocusOnOpen } from '../dialogs/FocusOnOpen.tsx'
import { Anchor } from '../overlays/Anchor.tsx'
import { Calendar, type CalendarProps } from './Calendar.tsx'

interface CalendarPopoverProps extends CalendarProps {
  /** The button that opened it. */
  button: HTMLElement
  onClose: () => void
}

/** The calendar of a field, below its button. */
export const CalendarPopover = ({ button, onClose, ...calendar }: CalendarPopoverProps) => (
  <Popover
    opened
    onChange={(opened) => !opened && onClose()}
    position="bottom-end"
    shadow="md"
    trapFocus
    closeOnEscape={false}
    transitionProps={{ duration: 0 }}
  >
    <Popover.Target>
      <Anchor element={button} />
    </Popover.Target>
    <Popover.Dropdown
      p="xs"
      data-calendar
      aria-label="Choose a day"
      onKeyDown={(event) => {
        // Keys belong to the calendar, and Escape closes nothing behind it.
        event.stopPropagation()
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      <FocusOnOpen choose={(anchor) => anchor.parentElement?.querySelector<HTMLElement>('[data-autofocus]')} />
      <Calendar {...calendar} />
    </Popover.Dropdown>
  </Popover>
)
