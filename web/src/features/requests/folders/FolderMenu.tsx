import { ActionIcon, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiMutation } from '../../../api/api.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { DangerItem, DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconDots, IconFolderSymlink, IconPencil, IconTrash } from '../../../ui/page-icons.tsx'
import { MoveDialog } from '../dialogs/MoveDialog.tsx'
import { RenameDialog } from '../dialogs/RenameDialog.tsx'
import { type RequestFolder, staleRequests, usePlace } from '../place.tsx'
import { countBelow, useSaved } from '../tree/tree.ts'
import { useDeleteFolder } from '../use-delete.ts'

/** A deletion is undone by its toast. A folder with as many requests as this is asked about first. */
const MANY_REQUESTS = 10

/** Actions on a folder. */
export const FolderMenu = ({ folder }: { folder: RequestFolder }) => {
  const { organizationId } = usePlace()
  const saved = useSaved()
  const folders = useQuery(saved.folders)
  const requests = useQuery(saved.requests)
  const [open, setOpen] = useState<'rename' | 'move' | 'delete'>()
  const close = () => setOpen(undefined)
  const params = { folderId: folder.id }
  const change = useApiMutation(organizationId, 'updateRequestFolder', {
    invalidates: staleRequests(organizationId),
    onSuccess: close,
  })
  const remove = useDeleteFolder(folder)
  const count = countBelow(folders.data ?? [], requests.data ?? [], folder.id)
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
        <DangerItem
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={count < MANY_REQUESTS ? remove : () => setOpen('delete')}
        >
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
        onConfirm={() => {
          close()
          remove()
        }}
        title={`Delete ${folder.name} with ${count.toLocaleString('en')} requests?`}
        confirmLabel="Delete folder"
      >
        Its folders and requests are deleted for everyone. Their runs are kept under All runs.
      </ConfirmDialog>
    </>
  )
}
