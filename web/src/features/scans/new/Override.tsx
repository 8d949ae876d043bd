import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'

interface OverrideProps {
  /** Undefined: the rules apply. */
  reason: string | undefined
  onChange: (reason: string | undefined) => void
}

/** Lets owners and admins override scope and testing hours after a refusal, with a reason. */
export const Override = ({ reason, onChange }: OverrideProps) => (
  <Alert color="red" variant="light" title="Override scope and testing hours">
    <Stack gap="sm" align="flex-start">
      <Text size="sm">
        This scan then touches targets that the client has excluded, and runs outside the agreed hours. Limits set by
        the operator of this instance still apply. Your name and the reason are recorded with the scan and in the audit
        log.
      </Text>
      {reason === undefined ? (
        <Button color="red" onClick={() => onChange('')}>
          Override
        </Button>
      ) : (
        <>
          <TextInput
            label="Reason"
            placeholder="Agreed with the client by phone, 14:05"
            maxLength={500}
            w="100%"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that opened it had the focus, and is gone
            autoFocus
            value={reason}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
          <Button variant="default" onClick={() => onChange(undefined)}>
            Keep the rules
          </Button>
        </>
      )}
    </Stack>
  </Alert>
)
