import { PasswordInput } from '@mantine/core'
import { useState } from 'react'

const MIN_PASSWORD_LENGTH = 12

interface NewPasswordProps {
  label?: string
  error?: string | undefined
  /** Receives every change, and what bars the form around: `FormElement` takes it. */
  onChange: (password: string, barred: boolean | string) => void
}

const TOO_SHORT = `The password needs at least ${MIN_PASSWORD_LENGTH} characters.`
const DIFFERENT = 'The passwords do not match.'

/** An empty field is named by the form. */
const barredBy = (password: string, repeated: string): boolean | string => {
  if (password !== '' && password.length < MIN_PASSWORD_LENGTH) return TOO_SHORT
  if (password === '' || repeated === '') return true
  return password === repeated ? false : DIFFERENT
}

/** A new password, typed twice. */
export const NewPassword = ({ label = 'Password', error, onChange }: NewPasswordProps) => {
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const change = (first: string, second: string) => {
    setPassword(first)
    setRepeated(second)
    onChange(first, barredBy(first, second))
  }
  return (
    <>
      <PasswordInput
        label={label}
        description={`At least ${MIN_PASSWORD_LENGTH} characters. A few unusual words work best.`}
        autoComplete="new-password"
        value={password}
        onChange={(event) => change(event.currentTarget.value, repeated)}
        error={error}
      />
      <PasswordInput
        label={`${label} again`}
        autoComplete="new-password"
        value={repeated}
        onChange={(event) => change(password, event.currentTarget.value)}
        error={repeated !== '' && repeated !== password && DIFFERENT}
      />
    </>
  )
}
