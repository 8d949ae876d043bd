import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useHold } from '../../../shell/proof/HeldDialog.tsx'
import { ShownOnceDialog } from '../../../shell/proof/ShownOnce.tsx'
import type { CreatedWebhook } from '../webhook.ts'
import { REMINDER, SecretView } from './SecretView.tsx'
import { isIncomplete, WebhookFields, type WebhookValues } from './WebhookFields.tsx'

const EMPTY: WebhookValues = {
  name: '',
  url: '',
  events: [],
  engagementIds: 'open',
  minSeverity: null,
  format: 'standard',
  detail: 'thin',
}

/** Asks for the settings, then shows the secret. */
export const CreateWebhookDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <ShownOnceDialog<CreatedWebhook>
    opened={opened}
    onClose={onClose}
    noun="secret"
    title="Create webhook"
    reminder={REMINDER}
    ask={(onMade) => <CreateForm onClose={onClose} onCreated={onMade} />}
    show={(created, close) => <SecretView created={created} onClose={close} />}
  />
)

const CreateForm = ({ onClose, onCreated }: { onClose: () => void; onCreated: (created: CreatedWebhook) => void }) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'createWebhookEndpoint', [[organization.id, 'listWebhookEndpoints']])
  const form = useDraftForm({
    draft: `organization/${organization.id}/new-webhook`,
    saved: { values: EMPTY },
    send: ({ engagementIds, ...values }) =>
      send({ body: { ...values, ...(engagementIds !== null && { engagementIds }) } }),
    onSaved: ({ data }) => onCreated(data),
  })
  useHold(form.isSaving)
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Create webhook"
      onCancel={onClose}
      error={form.errors.events as string | undefined}
      disabled={isIncomplete(form.values)}
    >
      <WebhookFields form={form} />
    </DraftDialogForm>
  )
}
