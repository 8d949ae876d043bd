import { Checkbox, TextInput } from '@mantine/core'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { useSend } from '../../api/use-send.ts'
import { DraftDialogForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { toast } from '../../ui/toasts/toast.ts'
import { useOrganization } from '../context/organization.tsx'
import type { ViewList } from './view-list.ts'
import type { View } from './view-search.ts'

interface ViewDialogProps {
  list: ViewList
  engagementId: string | null
  /** Filters and sort of the new view. */
  search: string
  /** View to rename or share; absent: saves a new one. */
  view?: View
  onSaved: (view: View) => void
  onClose: () => void
}

export const ViewDialog = (props: ViewDialogProps) => (
  <Dialog opened onClose={props.onClose} title={props.view ? 'Rename or share a view' : 'Save a view'}>
    <ViewForm {...props} />
  </Dialog>
)

const ViewForm = ({ list, engagementId, search, view, onSaved, onClose }: ViewDialogProps) => {
  const organization = useOrganization()
  const stale = [[organization.id, 'listViews']] as const
  const create = useSend(organization.id, 'createView', stale)
  const update = useSend(organization.id, 'updateView', stale)
  const form = useDraftForm({
    saved: { values: { name: view?.name ?? '', shared: view?.shared ?? false } },
    send: (values) =>
      view
        ? update({ params: { viewId: view.id }, body: values })
        : create({ body: { list, engagementId, search, ...values } }),
    onSaved: ({ data }) => {
      toast(`Saved “${data.name}”.`)
      onSaved(data)
      onClose()
    },
  })
  return (
    <DraftDialogForm form={form} submitLabel="Save view" onCancel={onClose} disabled={!form.values.name.trim()}>
      <TextInput
        label="Name"
        placeholder="Open and critical"
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox
        label="Shared"
        description={
          engagementId === null ? 'Everyone in the organization has it.' : 'Everyone who sees this engagement has it.'
        }
        {...form.getInputProps('shared', { type: 'checkbox' })}
      />
    </DraftDialogForm>
  )
}

export const DeleteViewDialog = ({ view, onClose }: { view: View; onClose: () => void }) => {
  const organization = useOrganization()
  const remove = useApiMutation(organization.id, 'deleteView', {
    invalidates: [[organization.id, 'listViews']],
    onSuccess: () => {
      toast(`Deleted “${view.name}”.`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => remove.mutate({ params: { viewId: view.id } })}
      title={`Delete “${view.name}”?`}
      confirmLabel="Delete view"
      loading={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
    >
      {view.shared ? 'It is deleted for everyone. ' : ''}The rows of the list are not affected.
    </ConfirmDialog>
  )
}
