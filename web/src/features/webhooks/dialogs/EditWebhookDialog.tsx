import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import type { Webhook } from '../webhook.ts'
import { isIncomplete, LABELS, WebhookFields, type WebhookValues } from './WebhookFields.tsx'

interface EditWebhookDialogProps {
  webhook: Webhook
  onClose: () => void
}

const savedOf = (webhook: Webhook): { values: WebhookValues; version: string } => {
  const { name, url, events, engagementIds, minSeverity, format, detail, updatedAt } = webhook
  return { values: { name, url, events, engagementIds, minSeverity, format, detail }, version: updatedAt }
}

/** Changes what a webhook receives, and where. */
export const EditWebhookDialog = (props: EditWebhookDialogProps) => (
  <Dialog opened onClose={props.onClose} title={`Edit ${props.webhook.name}`} size="lg">
    <EditForm {...props} />
  </Dialog>
)

const EditForm = ({ webhook, onClose }: EditWebhookDialogProps) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const params = { endpointId: webhook.id }
  const send = useSend(id, 'updateWebhookEndpoint', [
    [id, 'listWebhookEndpoints'],
    [id, 'listWebhookDeliveries'],
  ])
  const form = useDraftForm({
    draft: `webhook/${webhook.id}`,
    saved: savedOf(webhook),
    send: (values, ifUpdatedAt) => send({ params, body: { ...values, ...(ifUpdatedAt && { ifUpdatedAt }) } }),
    reread: async () => savedOf((await cache.fetchQuery(query(id, 'getWebhookEndpoint', { params }))).data),
    onSaved: onClose,
  })
  const { format, detail } = form.values
  const isRewritten = format !== webhook.format || (webhook.detail === 'full' && detail === 'thin')
  return (
    <DraftDialogForm
      form={form}
      labels={LABELS}
      submitLabel="Save"
      onCancel={onClose}
      error={form.errors.events as string | undefined}
      disabled={isIncomplete(form.values)}
    >
      <WebhookFields form={form} />
      {isRewritten && (
        <Text size="sm" role="status">
          Messages that wait were written for the former settings: they are cancelled.
        </Text>
      )}
    </DraftDialogForm>
  )
}
