import { Checkbox, Select, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { optionsOf } from '../../../ui/values/options-of.ts'
import { PRIORITY_LABELS, type Priority, STATUS_LABELS, type Status, staleReads } from '../labels.tsx'
import { useAssignees } from '../use-assignees.ts'

interface QuickEntryProps {
  engagementId: string
  /** The column of the board that it is created in. */
  status: Status
  onClose: () => void
}

/** Creates a task by title; the other fields can follow later. */
export const QuickEntry = ({ status, ...props }: QuickEntryProps) => {
  // A new form for each task: the last one is over when it is saved.
  const [count, setCount] = useState(0)
  const [createsAnother, setCreatesAnother] = useState(false)
  return (
    <Dialog
      opened
      onClose={props.onClose}
      title={status === 'open' ? 'New task' : `New task: ${STATUS_LABELS[status].toLowerCase()}`}
    >
      <EntryForm
        key={count}
        {...props}
        status={status}
        isNext={count > 0}
        createsAnother={createsAnother}
        onCreatesAnother={setCreatesAnother}
        onCreated={() => (createsAnother ? setCount((before) => before + 1) : props.onClose())}
      />
    </Dialog>
  )
}

interface EntryFormProps extends QuickEntryProps {
  /** Another task was created before this one. */
  isNext: boolean
  createsAnother: boolean
  onCreatesAnother: (wanted: boolean) => void
  onCreated: () => void
}

const EMPTY = { title: '', priority: 'none' as Priority, assigneeId: null as string | null, dueOn: '' }

const EntryForm = ({
  engagementId,
  status,
  isNext,
  createsAnother,
  onCreatesAnother,
  onCreated,
  onClose,
}: EntryFormProps) => {
  const organization = useOrganization()
  const members = useAssignees(engagementId)
  const title = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isNext) title.current?.focus()
  }, [isNext])
  const send = useSend(organization.id, 'createTask', staleReads(organization.id))
  const form = useDraftForm({
    draft: `engagement/${engagementId}/new-task`,
    saved: { values: EMPTY },
    send: ({ dueOn, ...values }) => send({ body: { engagementId, status, ...values, dueOn: dueOn || null } }),
    onSaved: ({ data }) => {
      toast(`Created ${data.title}.`)
      onCreated()
    },
  })
  return (
    <DraftDialogForm form={form} submitLabel="Create task" onCancel={onClose} disabled={!form.values.title.trim()}>
      <TextInput ref={title} label="Title" maxLength={200} data-autofocus {...form.getInputProps('title')} />
      <Select
        label="Priority"
        data={optionsOf(PRIORITY_LABELS)}
        allowDeselect={false}
        {...form.getInputProps('priority')}
      />
      <Select
        label="Assignee"
        placeholder="Unassigned"
        data={members.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        clearable
        {...form.getInputProps('assigneeId')}
      />
      <DateField label="Due" {...form.getInputProps('dueOn')} />
      <Checkbox
        label="Create another"
        checked={createsAnother}
        onChange={(event) => onCreatesAnother(event.currentTarget.checked)}
      />
    </DraftDialogForm>
  )
}
