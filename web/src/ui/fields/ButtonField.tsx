import type { ReactNode } from 'react'
import { IconPencil } from '../page-icons.tsx'
import classes from './MenuField.module.css'

interface ButtonFieldProps {
  label: string
  onClick: () => void
  /** The value. */
  children: ReactNode
}

/** A property that a dialog changes, such as weekly hours. */
export const ButtonField = ({ label, onClick, children }: ButtonFieldProps) => (
  <div className={classes.field}>
    <span className={classes.label} aria-hidden>
      {label}
    </span>
    <button type="button" className={classes.button} aria-haspopup="dialog" onClick={onClick}>
      <span className="visually-hidden">{label} </span>
      <span className={classes.lines}>{children}</span>
      <IconPencil size={14} aria-hidden />
    </button>
  </div>
)
