import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { useWiki, type WikiPage } from '../wiki-tree.tsx'

/** Renames a page; links to it keep working. */
export const RenamePage = ({ page }: { page: WikiPage }) => {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Rename
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="Rename the page" size="sm">
        <RenameForm page={page} onDone={() => setOpened(false)} />
      </Dialog>
    </>
  )
}

const RenameForm = ({ page, onDone }: { page: WikiPage; onDone: () => void }) => {
  const { organizationId } = useWiki()
  const [title, setTitle] = useState(page.title)
  const rename = useApiMutation(organizationId, 'updateWikiPage', {
    invalidates: [
      [organizationId, 'listWikiPages'],
      [organizationId, 'getWikiPage'],
    ],
    onSuccess: onDone,
  })
  return (
    <DialogForm
      submitLabel="Rename"
      onSubmit={() => rename.mutate({ params: { pageId: page.id }, body: { title } })}
      onCancel={onDone}
      loading={rename.isPending}
      disabled={title.trim() === ''}
      error={rename.error ? messageOf(rename.error) : undefined}
    >
      <TextInput
        label="Title"
        value={title}
        maxLength={200}
        data-autofocus
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
