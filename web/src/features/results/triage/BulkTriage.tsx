import { Button, Menu } from '@mantine/core'
import { useEffect, useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { SEVERITY_LABELS, STATUS_LABELS } from '../../../domain/vulnerability-words.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import type { Severity, Status } from '../labels.ts'
import { BulkEditDialog } from './BulkEditDialog.tsx'
import { type BulkSelection, CHANGED_READS, useBulkChange, useTriageKeys } from './use-triage.ts'

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
  useTriageKeys(change.set, true)
  useEffect(() => {
    onShown(true)
    return () => onShown(false)
  }, [onShown])
  return (
    <>
      <DropdownMenu
        position="top-start"
        target={
          <Button size="compact-sm" variant="default" loading={change.isPending}>
            Status
          </Button>
        }
      >
        {Object.entries(STATUS_LABELS).map(([status, label]) => (
          <Menu.Item key={status} onClick={() => change.set({ status: status as Status })}>
            {label}
          </Menu.Item>
        ))}
      </DropdownMenu>
      <DropdownMenu
        position="top-start"
        target={
          <Button size="compact-sm" variant="default">
            Severity
          </Button>
        }
      >
        {Object.entries(SEVERITY_LABELS).map(([severity, label]) => (
          <Menu.Item key={severity} onClick={() => change.set({ severity: severity as Severity })}>
            {label}
          </Menu.Item>
        ))}
      </DropdownMenu>
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
  const remove = useApiMutation(organization.id, 'deleteResults', {
    invalidates: CHANGED_READS.map((name) => [organization.id, name] as const),
    onSuccess: ({ data: { deleted } }) => {
      toast(deleted === 1 ? '1 result deleted.' : `${deleted.toLocaleString('en')} results deleted.`)
      onClose()
      onDeleted()
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => remove.mutate({ body: selection })}
      title={selection.ids?.length === 1 ? 'Delete the selected result?' : 'Delete the selected results?'}
      confirmLabel="Delete"
      loading={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
    >
      Deletes them with their notes, history and evidence. This can't be undone. The next import or scan adds what still
      exists; to dismiss it permanently, use the status “False positive”.
    </ConfirmDialog>
  )
}
