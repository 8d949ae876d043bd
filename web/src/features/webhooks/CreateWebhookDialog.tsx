import { Checkbox, Radio, Stack, TextInput } from '@mantine/core'
import { WEBHOOK_FORMATS } from '@sortie/contract/organization/webhook-endpoints.ts'
import { WEBHOOK_EVENTS, type WebhookEvent } from '@sortie/contract/organization/webhook-events.ts'
import { useState } from 'react'
import { useSend } from '../../api/use-send.ts'
import { DraftDialogForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { HeldDialog, useHold } from '../../shell/proof/HeldDialog.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { SecretView } from './SecretView.tsx'
import { type CreatedWebhook, FORMAT_LABELS, type Webhook } from './webhook.ts'

type Values = {
  name: string
  url: string
  events: WebhookEvent[]
  engagements: 'open' | 'all'
  format: Webhook['format']
  detail: Webhook['detail']
}

const EMPTY: Values = { name: '', url: '', events: [], engagements: 'open', format: 'standard', detail: 'thin' }

/** Asks for the settings, then shows the secret, which exists only in this dialog's state. */
export const CreateWebhookDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const [created, setCreated] = useState<CreatedWebhook>()
  const close = () => {
    setCreated(undefined)
    onClose()
  }
  return (
    <HeldDialog
      opened={opened}
      onClose={close}
      title={created ? 'Copy the secret now' : 'Create webhook'}
      size="lg"
      reminder="The secret of the webhook is shown only once. Store it, then confirm below."
    >
      {created ? (
        <SecretView created={created} onClose={close} />
      ) : (
        <CreateForm onClose={close} onCreated={setCreated} />
      )}
    </HeldDialog>
  )
}

const CreateForm = ({ onClose, onCreated }: { onClose: () => void; onCreated: (created: CreatedWebhook) => void }) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'createWebhookEndpoint', [[organization.id, 'listWebhookEndpoints']])
  const form = useDraftForm({
    draft: `organization/${organization.id}/new-webhook`,
    saved: { values: EMPTY },
    send: ({ engagements, ...values }) =>
      send({ body: { ...values, ...(engagements === 'open' && { engagementIds: 'open' as const }) } }),
    onSaved: ({ data }) => onCreated(data),
  })
  useHold(form.isSaving)
  const { name, url, events, format } = form.values
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Create webhook"
      onCancel={onClose}
      error={form.errors.events as string | undefined}
      disabled={!name.trim() || !url.trim() || events.length === 0}
    >
      <TextInput
        label="Name"
        placeholder="Ticket system"
        maxLength={100}
        {...form.getInputProps('name')}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        label="Address"
        description="Where messages are sent to; it starts with https://."
        placeholder="https://hooks.contoso.example/sortie"
        maxLength={2000}
        {...form.getInputProps('url')}
        autoComplete="off"
      />
      <Choice
        label="Format"
        data={WEBHOOK_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }))}
        value={format}
        onChange={(value) => form.setFieldValue('format', value)}
      />
      <Radio.Group label="Detail" description="What messages say about an object." {...form.getInputProps('detail')}>
        <Stack gap={6} mt={6}>
          <Radio value="thin" label="Ids and links" />
          <Radio value="full" label="The whole object" description="Titles and texts leave this server." />
        </Stack>
      </Radio.Group>
      <Radio.Group label="Engagements" {...form.getInputProps('engagements')}>
        <Stack gap={6} mt={6}>
          <Radio value="open" label="Shared with the whole organization" />
          <Radio value="all" label="Every engagement" description="Including those that only their team sees." />
        </Stack>
      </Radio.Group>
      <Checkbox.Group
        label="Events"
        value={events}
        onChange={(chosen) =>
          form.setFieldValue(
            'events',
            WEBHOOK_EVENTS.filter((event) => chosen.includes(event)),
          )
        }
      >
        <Stack gap={6} mt={6}>
          {WEBHOOK_EVENTS.map((event) => (
            <Checkbox key={event} value={event} label={event} />
          ))}
        </Stack>
      </Checkbox.Group>
    </DraftDialogForm>
  )
}
