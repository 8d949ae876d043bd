import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { DateField } from '../../dates/DateField.tsx'
import { Choice } from '../../fields/Choice.tsx'
import classes from './cells.module.css'

export interface CellField {
  label: string
  value: string
  /** Called with the new value. */
  onTake: (value: string) => void
  /** Returns to the display value, with focus. */
  onLeave: () => void
  onBlur: () => void
}

interface EditableCellProps {
  /** Name of the field with its row: `status of Ask the client`. */
  label: string
  value: string
  onChange: (value: string) => void
  /** A `SelectField` or `DayField`. */
  field: (field: CellField) => ReactNode
  /** The display value. */
  children: ReactNode
}

/**
 * A value that becomes a field when pressed. Only one cell renders its field at a time, regardless of the number of
 * rows.
 */
export const EditableCell = ({ label, value, onChange, field, children }: EditableCellProps) => {
  const [isEditing, setEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  if (isEditing) {
    return field({
      label,
      value,
      onTake: (next) => next !== value && onChange(next),
      onLeave: () => {
        flushSync(() => setEditing(false))
        button.current?.focus()
      },
      onBlur: () => setEditing(false),
    })
  }
  return (
    <button ref={button} type="button" className={classes.editable} onClick={() => setEditing(true)}>
      {children || <span className={classes.nothing}>–</span>}
      <span className="visually-hidden"> Change {label}</span>
    </button>
  )
}

/** A choice whose list opens with the field. */
export const SelectField = ({
  label,
  value,
  onTake,
  onLeave,
  onBlur,
  options,
}: CellField & { options: readonly { value: string; label: string }[] }) => (
  <Choice
    opensAtOnce
    size="xs"
    aria-label={label}
    data={options}
    value={value}
    onChange={(chosen) => {
      onTake(chosen)
      onLeave()
    }}
    onKeyDown={({ key }) => key === 'Escape' && onLeave()}
    onBlur={onBlur}
    comboboxProps={{ width: 200, position: 'bottom-start' }}
    className={classes.choice}
    classNames={{ input: classes.field as string }}
  />
)

const focus = (field: HTMLInputElement | null): void => field?.focus()

/** The field and its calendar are one: going from one to the other does not leave the cell. */
export const DayField = ({ label, value, onTake, onLeave, onBlur }: CellField) => {
  const place = useRef<HTMLDivElement>(null)
  return (
    <div
      ref={place}
      role="presentation"
      className={classes.day}
      onKeyDown={({ key }) => key === 'Escape' && onLeave()}
      onBlur={({ relatedTarget }) => {
        if (!place.current?.contains(relatedTarget) && !relatedTarget?.closest('[data-calendar]')) onBlur()
      }}
    >
      <DateField
        ref={focus}
        size="xs"
        savesEach
        aria-label={label}
        value={value}
        onChange={onTake}
        onChosen={onLeave}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // The key would press the button that gets focus next.
          event.preventDefault()
          onLeave()
        }}
        classNames={{ input: classes.field as string }}
      />
    </div>
  )
}
