import { Alert, Button, Group, Stack } from '@mantine/core'
import { useHold } from '../../../shell/proof/HeldDialog.tsx'
import { CopyButton } from '../../../ui/values/CopyButton.tsx'
import { SecretValue } from '../../../ui/values/SecretValue.tsx'
import type { CreatedWebhook } from '../webhook.ts'

/** Shows a secret once; the dialog stays until the user has stored it. */
export const SecretView = ({ created, onClose }: { created: CreatedWebhook; onClose: () => void }) => {
  useHold()
  return (
    <Stack gap="md">
      <Alert color="yellow" variant="light">
        This is the only time that the secret of <b>{created.name}</b> is shown. The receiver verifies messages with it.
      </Alert>
      <SecretValue value={created.secret} label="Secret of the webhook" />
      <Group justify="flex-end" gap="xs">
        <CopyButton value={created.secret} label="Copy secret" />
        <Button onClick={onClose} data-autofocus>
          I have stored it
        </Button>
      </Group>
    </Stack>
  )
}
