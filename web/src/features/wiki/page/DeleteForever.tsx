import { Button } from '@mantine/core'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { type PageSummary, useWiki } from '../wiki-tree.tsx'

interface DeleteForeverProps {
  page: Pick<PageSummary, 'id' | 'title'>
  /** Used in a list. */
  isSmall?: boolean
  onDone?: () => void
}

/** Deletes a page from the trash for good. */
export const DeleteForever = ({ page, isSmall = false, onDone }: DeleteForeverProps) => {
  const { organizationId } = useWiki()
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  const removal = useApiMutation(organizationId, 'deleteWikiPage', {
    invalidates: [[organizationId, 'listWikiPages']],
    onSuccess: () => {
      close()
      toast('Page deleted.')
      onDone?.()
    },
  })
  return (
    <>
      <Button
        variant="default"
        size={isSmall ? 'compact-xs' : 'sm'}
        {...(isSmall && { 'aria-label': `Delete forever: ${page.title}` })}
        onClick={() => setOpened(true)}
      >
        Delete forever
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        onConfirm={() => removal.mutate({ params: { pageId: page.id }, query: { forever: true } })}
        title={`Delete ${page.title} forever?`}
        confirmLabel="Delete forever"
        loading={removal.isPending}
        error={removal.error ? messageOf(removal.error) : undefined}
      >
        Deletes its text, history, files and all pages below it, for everyone. This can't be undone.
      </ConfirmDialog>
    </>
  )
}
