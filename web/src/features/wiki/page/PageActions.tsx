import { Button, Group, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { isAdmin, useOrganization } from '../../../shell/context/organization.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconHistory } from '../../../ui/icons.tsx'
import { IconDots, IconEdit, IconFolderSymlink, IconTemplate, IconTrash } from '../../../ui/page-icons.tsx'
import { toastWithUndo } from '../../../ui/toasts/toast-with-undo.tsx'
import { toast, toastError } from '../../../ui/toasts/toast.ts'
import { useWiki, type WikiPage } from '../wiki-tree.tsx'
import { DeleteForever } from './DeleteForever.tsx'
import { MovePage } from './MovePage.tsx'
import { RenamePage } from './RenamePage.tsx'

interface PageActionsProps {
  page: WikiPage
  isWritable: boolean
  view: string | undefined
}

/** Actions on a page, by its state and the current view. */
export const PageActions = ({ page, isWritable, view }: PageActionsProps) => {
  const { addressOf } = useWiki()
  if (view === 'history') {
    return (
      <ButtonLink to={addressOf(page.id)} variant="default">
        Back to the page
      </ButtonLink>
    )
  }
  if (page.trashedAt !== null) return <TrashedActions page={page} />
  if (view !== undefined) return null
  return <ReadActions page={page} isWritable={isWritable} />
}

const ReadActions = ({ page, isWritable }: Omit<PageActionsProps, 'view'>) => {
  const { addressOf } = useWiki()
  const navigate = useNavigate()
  const go = (view: 'edit' | 'history') => void navigate({ to: `${addressOf(page.id)}?view=${view}` })
  useShortcuts([
    ...(isWritable
      ? [
          {
            id: 'edit-page',
            label: 'Edit this page',
            group: 'This page',
            icon: IconEdit,
            shortcut: 'e',
            run: () => go('edit'),
          },
        ]
      : []),
    {
      id: 'page-history',
      label: 'History of this page',
      group: 'This page',
      icon: IconHistory,
      run: () => go('history'),
    },
  ])
  return (
    <Group gap="xs">
      {isWritable && <ButtonLink to={`${addressOf(page.id)}?view=edit`}>Edit</ButtonLink>}
      <ButtonLink to={`${addressOf(page.id)}?view=history`} variant="default">
        History
      </ButtonLink>
      {isWritable && <Changes page={page} />}
    </Group>
  )
}

const onError = (error: Error) => toastError(messageOf(error))

const useStale = () => {
  const { organizationId } = useWiki()
  return [
    [organizationId, 'listWikiPages'],
    [organizationId, 'getWikiPage'],
  ] as const
}

const useRestore = () =>
  useApiMutation(useWiki().organizationId, 'restoreWikiPage', {
    invalidates: useStale(),
    onError,
    onSuccess: () => toast('Page restored.'),
  })

const TrashedActions = ({ page }: { page: WikiPage }) => {
  const organization = useOrganization()
  const { home, mayWrite } = useWiki()
  const navigate = useNavigate()
  const restore = useRestore()
  return (
    <Group gap="xs">
      <Button onClick={() => restore.mutate({ params: { pageId: page.id } })} loading={restore.isPending}>
        Restore
      </Button>
      {mayWrite && isAdmin(organization) && (
        <DeleteForever page={page} onDone={() => void navigate({ to: `${home}?view=trash`, replace: true })} />
      )}
    </Group>
  )
}

const Changes = ({ page }: { page: WikiPage }) => {
  const { organizationId, home } = useWiki()
  const navigate = useNavigate()
  const [isMoving, setMoving] = useState(false)
  const stale = useStale()
  const params = { pageId: page.id }
  const restore = useRestore()
  const trash = useApiMutation(organizationId, 'deleteWikiPage', {
    invalidates: stale,
    onError,
    onSuccess: () => {
      toastWithUndo('Page moved to trash.', () => restore.mutate({ params }))
      void navigate({ to: `${home}?view=all` })
    },
  })
  const mark = useApiMutation(organizationId, 'updateWikiPage', {
    invalidates: stale,
    onError,
    onSuccess: ({ data }) => toast(data.isTemplate ? 'Saved as template.' : 'No longer a template.'),
  })
  const sendToTrash = () => trash.mutate({ params })
  const setTemplate = () => mark.mutate({ params, body: { isTemplate: !page.isTemplate } })
  const templateLabel = page.isTemplate ? 'No longer a template' : 'Save as template'
  useShortcuts([
    {
      id: 'move-page',
      label: 'Move this page',
      group: 'This page',
      icon: IconFolderSymlink,
      keywords: 'parent order',
      run: () => setMoving(true),
    },
    {
      id: page.isTemplate ? 'no-template' : 'template',
      label: templateLabel,
      group: 'This page',
      icon: IconTemplate,
      run: setTemplate,
    },
    {
      id: 'trash-page',
      label: 'Move this page to the trash',
      group: 'This page',
      icon: IconTrash,
      keywords: 'delete remove',
      run: sendToTrash,
    },
  ])
  return (
    <>
      <RenamePage page={page} />
      <Button variant="default" onClick={sendToTrash} loading={trash.isPending}>
        Move to trash
      </Button>
      <DropdownMenu
        position="bottom-end"
        target={
          <Button variant="default" px="xs" aria-label="More actions">
            <IconDots size={16} aria-hidden />
          </Button>
        }
      >
        <Menu.Item onClick={() => setMoving(true)}>Move …</Menu.Item>
        <Menu.Item onClick={setTemplate}>{templateLabel}</Menu.Item>
      </DropdownMenu>
      <MovePage page={page} opened={isMoving} onClose={() => setMoving(false)} />
    </>
  )
}
