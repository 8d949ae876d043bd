import { ActionIcon, Button, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconPlus } from '../../../ui/icons.tsx'
import { IconDots, IconFolderPlus, IconSend, IconUpload } from '../../../ui/page-icons.tsx'
import { ImportDialog } from '../dialogs/ImportDialog.tsx'
import { NewFolderDialog } from '../dialogs/NewFolderDialog.tsx'
import { NewRequestDialog } from '../dialogs/NewRequestDialog.tsx'
import { usePlace } from '../place.tsx'

/** Adds to the open folder, or to the top level. */
export const AddMenu = ({ folderId, isFirst = false }: { folderId: string | null; isFirst?: boolean }) => {
  const [open, setOpen] = useState<'request' | 'folder' | 'import'>()
  const close = () => setOpen(undefined)
  const { addressOf } = usePlace()
  const navigate = useNavigate()
  const writeUnsaved = () => void navigate({ to: addressOf('new') })
  useShortcuts(
    isFirst
      ? []
      : [
          { id: 'create', label: 'New request', group: 'This page', shortcut: 'c', run: () => setOpen('request') },
          {
            id: 'write-unsaved',
            label: 'Write a request without saving it',
            group: 'This page',
            keywords: 'scratch send once',
            run: writeUnsaved,
          },
          {
            id: 'import-requests',
            label: 'Import requests',
            group: 'This page',
            keywords: 'curl har openapi postman',
            run: () => setOpen('import'),
          },
        ],
  )
  return (
    <>
      <Button
        variant={isFirst ? 'filled' : 'default'}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => setOpen('request')}
      >
        {isFirst ? 'Write the first request' : 'New request'}
      </Button>
      {isFirst ? (
        <Button variant="default" leftSection={<IconUpload size={14} aria-hidden />} onClick={() => setOpen('import')}>
          Import
        </Button>
      ) : (
        <DropdownMenu
          position="bottom-end"
          target={
            <ActionIcon variant="default" size={30} aria-label="More to add">
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          }
        >
          <Menu.Item leftSection={<IconSend size={14} aria-hidden />} onClick={writeUnsaved}>
            Request without saving
          </Menu.Item>
          <Menu.Item leftSection={<IconFolderPlus size={14} aria-hidden />} onClick={() => setOpen('folder')}>
            New folder
          </Menu.Item>
          <Menu.Item leftSection={<IconUpload size={14} aria-hidden />} onClick={() => setOpen('import')}>
            Import
          </Menu.Item>
        </DropdownMenu>
      )}
      {open === 'request' && <NewRequestDialog folderId={folderId} onClose={close} />}
      {open === 'folder' && <NewFolderDialog parentId={folderId} onClose={close} />}
      {open === 'import' && <ImportDialog onClose={close} />}
    </>
  )
}
