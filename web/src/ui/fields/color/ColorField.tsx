import { TextInput } from '@mantine/core'
import classes from './ColorField.module.css'

interface ColorFieldProps {
  label: string
  /** Such as `#1f4fd8`; empty: the default. */
  value?: string
  onChange?: (value: string) => void
  placeholder?: string
  error?: React.ReactNode
  /** The label is in the heading of a column. */
  isLabelHidden?: boolean
  disabled?: boolean
}

/** A colour: written, or picked by the swatch before it. */
export const ColorField = ({
  label,
  value = '',
  onChange,
  placeholder = '#1f4fd8',
  error,
  isLabelHidden = false,
  disabled = false,
}: ColorFieldProps) => (
  <TextInput
    {...(isLabelHidden ? { 'aria-label': label } : { label })}
    value={value}
    placeholder={placeholder}
    maxLength={7}
    error={error}
    disabled={disabled}
    onChange={({ currentTarget }) => onChange?.(currentTarget.value.trim().toLowerCase())}
    leftSection={
      <input
        type="color"
        className={classes.swatch}
        aria-label={`Pick: ${label}`}
        disabled={disabled}
        value={/^#[0-9a-f]{6}$/.test(value) ? value : placeholder}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      />
    }
  />
)
