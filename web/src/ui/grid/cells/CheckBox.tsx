import { type ChangeEvent, useEffect, useRef } from 'react'
import classes from './cells.module.css'

interface CheckBoxProps {
  label: string
  checked: boolean
  indeterminate?: boolean
  tabIndex?: number
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
}

/** A plain check box that looks like those of forms: a list has one in each row. */
export const CheckBox = ({ label, indeterminate = false, ...input }: CheckBoxProps) => {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate
  }, [indeterminate])
  return <input ref={box} type="checkbox" className={classes.box} aria-label={label} {...input} />
}
