import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call, query } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { staleTemplateReads } from '../template-words.tsx'

interface NewTemplateDialogProps {
  onClose: () => void
  onCreated: (templateId: string) => Promise<void>
}

/** Copies a template, which is then changed. */
export const NewTemplateDialog = (props: NewTemplateDialogProps) => (
  <Dialog opened onClose={props.onClose} title="New report template">
    <NewForm {...props} />
  </Dialog>
)

const NOTHING = 'none'

const NewForm = ({ onClose, onCreated }: NewTemplateDialogProps) => {
  const { id } = useOrganization()
  const { data } = useQuery(query(id, 'listReportTemplates', { query: { perPage: 100, sort: 'name', order: 'asc' } }))
  const create = useSend(id, 'createReportTemplate', staleTemplateReads(id))
  const form = useDraftForm({
    saved: { values: { name: '', from: NOTHING } },
    send: ({ name, from }) =>
      from === NOTHING
        ? create({ body: { name: name.trim() } })
        : call(id, 'copyReportTemplate', { params: { templateId: from }, body: { name: name.trim() } }, { retries: 0 }),
    onSaved: (answer) => onCreated(answer.data.id),
  })
  return (
    <DraftDialogForm form={form} submitLabel="Create template" onCancel={onClose} disabled={!form.values.name.trim()}>
      <TextInput
        label="Name"
        placeholder="Penetration test"
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Choice
        label="Based on"
        data={[
          { value: NOTHING, label: 'The standard template' },
          ...(data?.data ?? []).map((each) => ({
            value: each.id,
            label: each.builtIn ? `${each.name} (built in)` : each.name,
          })),
        ]}
        {...form.getInputProps('from')}
      />
    </DraftDialogForm>
  )
}
