import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { SeverityChoices } from '../../../shell/fields/rating/SeverityChoices.tsx'
import { useAssignToMe } from '../../../shell/fields/use-assign-to-me.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { KeyButton } from '../../../ui/dialogs/KeyButton.tsx'
import { FindingButton } from '../findings/FindingButton.tsx'
import { BulkEditDialog } from './BulkEditDialog.tsx'
import {
  ASSIGNEE_SHORTCUT,
  AssigneeChoices,
  SEVERITY_SHORTCUT,
  STATUS_SHORTCUT,
  StatusChoices,
} from './TriageMenus.tsx'
import { type BulkSelection, CHANGED_READS, useBulkChange, useRestoreResults, useSeverityKeys } from './use-triage.ts'

interface BulkTriageProps {
  selection: BulkSelection
  /** Clears the selection. */
  clear: () => void
  /** Called while something is selected: the triage keys then apply to the selection. */
  onShown: (isShown: boolean) => void
}

/** Actions on the selected results. */
export const BulkTriage = ({ selection, clear, onShown }: BulkTriageProps) => {
  const change = useBulkChange(selection)
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  useSeverityKeys(change.set, true)
  useAssignToMe({ id: 'triage-mine', group: 'Triage', onAssign: (assigneeId) => change.set({ assigneeId }) })
  useEffect(() => {
    onShown(true)
    return () => onShown(false)
  }, [onShown])
  return (
    <>
      <DropdownMenu
        position="top-start"
        shortcut={STATUS_SHORTCUT}
        target={<KeyButton label="Status" hint="S" loading={change.isPending} />}
      >
        <StatusChoices set={change.set} />
      </DropdownMenu>
      <DropdownMenu position="top-start" shortcut={SEVERITY_SHORTCUT} target={<KeyButton label="Severity" hint="V" />}>
        <SeverityChoices onChoose={(severity) => change.set({ severity })} />
      </DropdownMenu>
      <DropdownMenu position="top-start" shortcut={ASSIGNEE_SHORTCUT} target={<KeyButton label="Assignee" hint="A" />}>
        <AssigneeChoices set={change.set} />
      </DropdownMenu>
      <FindingButton selection={selection} onDone={clear} />
      <Button size="compact-sm" variant="default" onClick={() => setAsked('edit')}>
        Assign and tag
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      <BulkEditDialog opened={asked === 'edit'} onClose={() => setAsked(undefined)} selection={selection} />
      <DeleteDialog
        opened={asked === 'delete'}
        onClose={() => setAsked(undefined)}
        selection={selection}
        onDeleted={clear}
      />
    </>
  )
}

const DeleteDialog = ({
  opened,
  onClose,
  selection,
  onDeleted,
}: {
  opened: boolean
  onClose: () => void
  selection: BulkSelection
  onDeleted: () => void
}) => {
  const organization = useOrganization()
  const offerRestore = useRestoreResults()
  const remove = useApiMutation(organization.id, 'bulkDeleteResults', {
    invalidates: CHANGED_READS.map((name) => [organization.id, name] as const),
    onSuccess: ({ data: { deleted, ids = [] } }) => {
      offerRestore(deleted === 1 ? '1 result deleted.' : `${deleted.toLocaleString('en')} results deleted.`, ids)
      onClose()
      onDeleted()
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => remove.mutate({ body: { ...selection, withUndo: true } })}
      title={selection.ids?.length === 1 ? 'Delete the selected result?' : 'Delete the selected results?'}
      confirmLabel="Delete"
      loading={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
    >
      Deletes them with their notes, history and evidence. You can undo this. The next import or scan adds what still
      exists; to dismiss it permanently, use the status “False positive”.
    </ConfirmDialog>
  )
}
