import { ActionIcon, Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { isAdmin, useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconDots, IconEdit, IconTrash } from '../../../ui/page-icons.tsx'
import { toast, toastError } from '../../../ui/toasts/toast.ts'
import { type Entry, type EntryState, mayChange, staleReads } from '../entries.tsx'
import { entry as route } from '../library.routes.ts'
import { ApproveDialog } from './ApproveDialog.tsx'

interface EntryActionsProps {
  entry: Entry
  clientData: readonly string[]
  isEditing: boolean
  onEdit: () => void
}

/** Edit, approve, duplicate, delete: what the user may do with the entry in its state. */
export const EntryActions = ({ entry, clientData, isEditing, onEdit }: EntryActionsProps) => {
  const organization = useOrganization()
  const { id, slug } = organization
  const navigate = route.useNavigate()
  const [asked, setAsked] = useState<'approve' | 'delete'>()
  const close = () => setAsked(undefined)
  const params = { entryId: entry.id }
  const invalidates = staleReads(id)
  const onError = (error: Error) => toastError(messageOf(error))
  const copy = useApiMutation(id, 'copyLibraryEntry', {
    invalidates,
    onError,
    onSuccess: ({ data }) => {
      toast(`You can now edit the copy, ${data.key}.`)
      return navigate({ href: paths.libraryEntry(slug, data.id) })
    },
  })
  const change = useApiMutation(id, 'updateLibraryEntry', { invalidates, onError })
  const remove = useApiMutation(id, 'deleteLibraryEntry', {
    invalidates,
    onSuccess: () => navigate({ href: paths.library(slug) }),
  })
  const set = (state: EntryState) => change.mutate({ params, body: { state } })
  const isWritable = mayChange(organization, entry)
  const isProposal = entry.fromFindingId !== null
  const approves = isAdmin(organization)
  return (
    <>
      {!isProposal && (
        <Button variant="default" loading={copy.isPending} onClick={() => copy.mutate({ params, body: {} })}>
          {entry.builtIn ? 'Duplicate to edit' : 'Duplicate'}
        </Button>
      )}
      {isWritable && !isEditing && (
        <Button variant="default" leftSection={<IconEdit size={14} aria-hidden />} onClick={onEdit}>
          Edit texts
        </Button>
      )}
      {isWritable && entry.state === 'draft' && !approves && (
        <Button loading={change.isPending} onClick={() => set('proposed')}>
          Propose
        </Button>
      )}
      {isWritable && entry.state !== 'approved' && approves && (
        <Button onClick={() => setAsked('approve')}>Approve</Button>
      )}
      {isWritable && (
        <DropdownMenu
          position="bottom-end"
          target={
            <ActionIcon variant="default" size={30} aria-label="More actions">
              <IconDots size={15} aria-hidden />
            </ActionIcon>
          }
        >
          {entry.state !== 'draft' && !isProposal && (
            <Menu.Item onClick={() => set('draft')}>Return to draft</Menu.Item>
          )}
          <Menu.Item leftSection={<IconTrash size={14} aria-hidden />} onClick={() => setAsked('delete')}>
            Delete
          </Menu.Item>
        </DropdownMenu>
      )}
      {asked === 'approve' && <ApproveDialog entry={entry} clientData={clientData} onClose={close} />}
      <ConfirmDialog
        opened={asked === 'delete'}
        onClose={close}
        title={`Delete ${entry.title}?`}
        confirmLabel="Delete entry"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
        onConfirm={() => remove.mutate({ params })}
      >
        Deletes its versions and files, for everyone. Findings that were made from it stay. This can't be undone.
      </ConfirmDialog>
    </>
  )
}
