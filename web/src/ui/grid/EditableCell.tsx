import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import classes from './grid.module.css'

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

/** A value that becomes a field when pressed. Only one cell renders its field at a time, regardless of the number of rows. */
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

/** Select field; opens its list immediately if the browser allows it. */
export const SelectField = ({
  label,
  value,
  onTake,
  onLeave,
  onBlur,
  options,
}: CellField & { options: readonly { value: string; label: string }[] }) => (
  <select
    ref={openList}
    className={classes.field}
    aria-label={label}
    value={value}
    onChange={({ currentTarget }) => {
      onTake(currentTarget.value)
      onLeave()
    }}
    onKeyDown={({ key }) => key === 'Escape' && onLeave()}
    onBlur={onBlur}
  >
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </select>
)

const openList = (field: HTMLSelectElement | null): void => {
  field?.focus()
  if (navigator.userActivation?.isActive) field?.showPicker?.()
}

const focus = (field: HTMLInputElement | null): void => field?.focus()

/** Typing a date passes through the years 2, 20 and 203, so the value is saved on blur or Enter. */
export const DayField = ({ label, value, onTake, onLeave, onBlur }: CellField) => {
  const isOver = useRef(false)
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, currentTarget } = event
    if (key !== 'Enter' && key !== 'Escape') return
    // The key would press the button that gets focus next.
    event.preventDefault()
    isOver.current = true
    if (key === 'Enter') onTake(currentTarget.value)
    onLeave()
  }
  const blur = ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    if (isOver.current) return
    onTake(currentTarget.value)
    onBlur()
  }
  return (
    <input
      ref={focus}
      type="date"
      className={classes.field}
      aria-label={label}
      defaultValue={value}
      onKeyDown={press}
      onBlur={blur}
    />
  )
}
