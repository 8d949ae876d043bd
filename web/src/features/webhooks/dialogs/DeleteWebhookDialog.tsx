import { useRef } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import type { Webhook } from '../webhook.ts'

export const DeleteWebhookDialog = ({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }) => {
  const { id } = useOrganization()
  const last = useRef(webhook)
  if (webhook) last.current = webhook
  const shown = last.current
  const remove = useApiMutation(id, 'deleteWebhookEndpoint', {
    invalidates: [[id, 'listWebhookEndpoints']],
    onSuccess: () => {
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened={webhook !== undefined}
      onClose={onClose}
      onConfirm={() => shown && remove.mutate({ params: { endpointId: shown.id } })}
      title={`Delete ${shown?.name ?? ''}?`}
      confirmLabel="Delete webhook"
      loading={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
    >
      The receiver gets nothing more, and the list of deliveries is deleted. This can't be undone.
    </ConfirmDialog>
  )
}
