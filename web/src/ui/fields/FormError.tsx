import { Alert } from '@mantine/core'

/** Error message of a form, read aloud when it appears. */
export const FormError = ({ message }: { message: string | undefined }) =>
  message ? (
    <Alert color="red" variant="light" role="alert" p="xs">
      {message}
    </Alert>
  ) : null
