import { ActionIcon, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { DangerItem, DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconDots, IconFolderSymlink, IconPencil, IconTrash } from '../../../ui/page-icons.tsx'
import { MoveDialog } from '../dialogs/MoveDialog.tsx'
import { RenameDialog } from '../dialogs/RenameDialog.tsx'
import { type RequestFolder, staleRequests, usePlace } from '../place.tsx'

/** Actions on a folder. */
export const FolderMenu = ({ folder }: { folder: RequestFolder }) => {
  const { organizationId, home } = usePlace()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'rename' | 'move' | 'delete'>()
  const close = () => setOpen(undefined)
  const params = { folderId: folder.id }
  const change = useApiMutation(organizationId, 'updateRequestFolder', {
    invalidates: staleRequests(organizationId),
    onSuccess: close,
  })
  const remove = useApiMutation(organizationId, 'deleteRequestFolder', {
    invalidates: [
      [organizationId, 'listRequestFolders'],
      [organizationId, 'listApiRequests'],
    ],
    onSuccess: () => {
      close()
      void navigate({ to: home })
    },
  })
  const sending = { isSending: change.isPending, error: change.error }
  return (
    <>
      <DropdownMenu
        position="bottom-end"
        target={
          <ActionIcon variant="default" size={30} aria-label={`Actions for ${folder.name}`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        }
      >
        <Menu.Item leftSection={<IconPencil size={14} aria-hidden />} onClick={() => setOpen('rename')}>
          Rename
        </Menu.Item>
        <Menu.Item leftSection={<IconFolderSymlink size={14} aria-hidden />} onClick={() => setOpen('move')}>
          Move to a folder
        </Menu.Item>
        <DangerItem leftSection={<IconTrash size={14} aria-hidden />} onClick={() => setOpen('delete')}>
          Delete
        </DangerItem>
      </DropdownMenu>
      {open === 'rename' && (
        <RenameDialog
          title="Rename the folder"
          name={folder.name}
          onClose={close}
          onRename={(name) => change.mutate({ params, body: { name } })}
          {...sending}
        />
      )}
      {open === 'move' && (
        <MoveDialog
          title="Move the folder"
          folderId={folder.parentId}
          without={folder.id}
          onClose={close}
          onMove={(parentId) => change.mutate({ params, body: { parentId } })}
          {...sending}
        />
      )}
      <ConfirmDialog
        opened={open === 'delete'}
        onClose={close}
        onConfirm={() => remove.mutate({ params })}
        title={`Delete ${folder.name}?`}
        confirmLabel="Delete folder"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        Its folders and requests are deleted with it, for everyone. Their runs are kept under All runs.
      </ConfirmDialog>
    </>
  )
}
