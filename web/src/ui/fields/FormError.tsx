import { Alert } from '@mantine/core'
import { useContext } from 'react'
import { Missing } from './missing.ts'

/** Error message of a form, read aloud when it appears. */
export const FormError = ({ message }: { message: string | undefined }) => {
  const missing = useContext(Missing)
  const shown = missing ?? message
  return shown ? (
    <Alert color="red" variant="light" role="alert" p="xs">
      {shown}
    </Alert>
  ) : null
}
