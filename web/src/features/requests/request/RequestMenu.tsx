import { ActionIcon, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { DangerItem, DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconCopy, IconDots, IconFolderSymlink, IconPencil, IconTerminal2, IconTrash } from '../../../ui/page-icons.tsx'
import { toast, toastError } from '../../../ui/toasts/toast.ts'
import { MoveDialog } from '../dialogs/MoveDialog.tsx'
import { RenameDialog } from '../dialogs/RenameDialog.tsx'
import { type ApiRequest, staleRequests, usePlace } from '../place.tsx'
import { useDeleteRequest } from '../use-delete.ts'
import { CurlDialog } from './CurlDialog.tsx'

/** Actions on a request. */
export const RequestMenu = ({ request }: { request: ApiRequest }) => {
  const { organizationId, engagementId, mayWrite, addressOf, isFromLibrary } = usePlace()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'rename' | 'move' | 'curl'>()
  const close = () => setOpen(undefined)
  const params = { requestId: request.id }
  /** Destination of copy and move: this engagement, or the library. */
  const other = isFromLibrary(request) ? engagementId : null
  const changed = {
    invalidates: staleRequests(organizationId),
    onError: (error: Error) => toastError(messageOf(error)),
  }
  const rename = useApiMutation(organizationId, 'updateApiRequest', { ...changed, onSuccess: close })
  const move = useApiMutation(organizationId, 'moveApiRequest', { ...changed, onSuccess: close })
  const copy = useApiMutation(organizationId, 'copyApiRequest', {
    ...changed,
    onSuccess: ({ data }) => {
      const isShown = data.engagementId === engagementId || data.engagementId === request.engagementId
      toast(isShown ? 'You are viewing the copy.' : 'It is in the library of the organization, without secrets.')
      if (isShown) void navigate({ to: addressOf(data.id) })
    },
  })
  const remove = useDeleteRequest(request)
  return (
    <>
      <DropdownMenu
        position="bottom-end"
        target={
          <ActionIcon variant="default" size={30} aria-label={`Actions for ${request.name}`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        }
      >
        <Menu.Item leftSection={<IconTerminal2 size={14} aria-hidden />} onClick={() => setOpen('curl')}>
          As a cURL command
        </Menu.Item>
        {mayWrite && (
          <>
            <Menu.Item leftSection={<IconPencil size={14} aria-hidden />} onClick={() => setOpen('rename')}>
              Rename
            </Menu.Item>
            {!isFromLibrary(request) && (
              <Menu.Item leftSection={<IconFolderSymlink size={14} aria-hidden />} onClick={() => setOpen('move')}>
                Move to a folder
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<IconCopy size={14} aria-hidden />}
              onClick={() => copy.mutate({ params, body: {} })}
            >
              Duplicate
            </Menu.Item>
            {engagementId !== null && (
              <Menu.Item
                leftSection={<IconCopy size={14} aria-hidden />}
                onClick={() => copy.mutate({ params, body: { engagementId: other } })}
              >
                {isFromLibrary(request) ? 'Copy into this engagement' : 'Copy to the library'}
              </Menu.Item>
            )}
            <DangerItem leftSection={<IconTrash size={14} aria-hidden />} onClick={remove}>
              Delete
            </DangerItem>
          </>
        )}
      </DropdownMenu>
      {open === 'curl' && <CurlDialog requestId={request.id} onClose={close} />}
      {open === 'rename' && (
        <RenameDialog
          title="Rename the request"
          name={request.name}
          onClose={close}
          onRename={(name) => rename.mutate({ params, body: { name } })}
          isSending={rename.isPending}
          error={rename.error}
        />
      )}
      {open === 'move' && (
        <MoveDialog
          title="Move the request"
          folderId={request.folderId}
          onClose={close}
          onMove={(folderId) => move.mutate({ params, body: { folderId } })}
          isSending={move.isPending}
          error={move.error}
        />
      )}
    </>
  )
}
