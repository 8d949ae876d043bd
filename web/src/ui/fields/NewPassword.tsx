import { PasswordInput } from '@mantine/core'
import { useState } from 'react'

const MIN_PASSWORD_LENGTH = 12

interface NewPasswordProps {
  label?: string
  error?: string | undefined
  /** Receives every change, and whether both fields match and are long enough. */
  onChange: (password: string, complete: boolean) => void
}

/** A new password, typed twice. */
export const NewPassword = ({ label = 'Password', error, onChange }: NewPasswordProps) => {
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const change = (first: string, second: string) => {
    setPassword(first)
    setRepeated(second)
    onChange(first, first === second && first.length >= MIN_PASSWORD_LENGTH)
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
        error={repeated !== '' && repeated !== password && 'The passwords do not match.'}
      />
    </>
  )
}
