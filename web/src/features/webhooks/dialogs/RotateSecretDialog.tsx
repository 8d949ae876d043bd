import { Button, Group, Stack, Text } from '@mantine/core'
import { useRef } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useHold } from '../../../shell/proof/HeldDialog.tsx'
import { ShownOnceDialog } from '../../../shell/proof/ShownOnce.tsx'
import type { CreatedWebhook, Webhook } from '../webhook.ts'
import { REMINDER, SecretView } from './SecretView.tsx'

/** Replaces the secret, and shows the new one once. */
export const RotateSecretDialog = ({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }) => {
  const last = useRef(webhook)
  if (webhook) last.current = webhook
  return (
    <ShownOnceDialog<CreatedWebhook>
      opened={webhook !== undefined}
      onClose={onClose}
      noun="secret"
      title={`Replace the secret of ${last.current?.name ?? ''}?`}
      size="md"
      reminder={REMINDER}
      ask={(onMade) => last.current && <ConfirmView webhook={last.current} onClose={onClose} onCreated={onMade} />}
      show={(created, close) => <SecretView created={created} onClose={close} />}
    />
  )
}

const ConfirmView = ({
  webhook,
  onClose,
  onCreated,
}: {
  webhook: Webhook
  onClose: () => void
  onCreated: (created: CreatedWebhook) => void
}) => {
  const { id } = useOrganization()
  const rotate = useApiMutation(id, 'rotateWebhookSecret', {
    invalidates: [[id, 'listWebhookEndpoints']],
    onSuccess: ({ data }) => onCreated(data),
  })
  useHold(rotate.isPending)
  return (
    <Stack gap="md">
      <Text size="sm">For 24 hours, messages are signed with both secrets. After that, only with the new one.</Text>
      {rotate.error && (
        <Text size="sm" c="red" role="alert">
          {messageOf(rotate.error)}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={rotate.isPending}
          onClick={() => rotate.mutate({ params: { endpointId: webhook.id } })}
          data-autofocus
        >
          Replace secret
        </Button>
      </Group>
    </Stack>
  )
}
