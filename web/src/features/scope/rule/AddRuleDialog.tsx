import { Textarea, TextInput } from '@mantine/core'
import { useSend } from '../../../api/use-send.ts'
import { EFFECT_OPTIONS, type Effect } from '../../../domain/verdicts.tsx'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { staleAfterRules } from '../stale.ts'

interface AddRuleDialogProps {
  engagementId: string
  onClose: () => void
}

export const AddRuleDialog = (props: AddRuleDialogProps) => (
  <Dialog opened onClose={props.onClose} title="Add a rule">
    <AddForm {...props} />
  </Dialog>
)

const EMPTY = { effect: 'allow' as Effect, pattern: '', note: '' }

const AddForm = ({ engagementId, onClose }: AddRuleDialogProps) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'createScopeRule', staleAfterRules(organization.id))
  const form = useDraftForm({
    draft: `engagement/${engagementId}/new-rule`,
    saved: { values: EMPTY },
    send: (values) => send({ body: { engagementId, ...values } }),
    onSaved: ({ data }) => {
      toast(`Added the rule for ${data.pattern}. Targets re-evaluated.`)
      onClose()
    },
  })
  return (
    <DraftDialogForm form={form} submitLabel="Add rule" onCancel={onClose} disabled={!form.values.pattern.trim()}>
      <TextInput
        label="Pattern"
        description="*.contoso.example covers every name below contoso.example, not contoso.example itself."
        placeholder="*.contoso.example, 10.20.0.0/16, vpn.contoso.example:8443, https://portal.contoso.example/app"
        maxLength={4_096}
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('pattern')}
      />
      <Choice label="Effect" data={EFFECT_OPTIONS} {...form.getInputProps('effect')} />
      <Textarea
        label="Note"
        description="Markdown: source of the rule"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2_000}
        {...form.getInputProps('note')}
      />
    </DraftDialogForm>
  )
}
