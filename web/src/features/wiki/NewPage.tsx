import { Button, Group, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, useCommand } from '../../api.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { useWiki } from './wiki-tree.tsx'

interface NewPageProps {
  /** The open page, below which another can be made. */
  parentId?: string | undefined
  /** In a wiki without pages, where there is nothing else to do. */
  isFirst?: boolean
}

/** Makes a page: below the open one, or at the top. */
export const NewPage = ({ parentId, isFirst = false }: NewPageProps) => {
  const { organizationId, engagementId, addressOf } = useWiki()
  const navigate = useNavigate()
  const [opened, setOpened] = useState(false)
  const [title, setTitle] = useState('')
  const [isBelow, setBelow] = useState(false)
  const create = useCommand(organizationId, 'createWikiPage', {
    invalidates: [[organizationId, 'listWikiPages']],
    onSuccess: ({ data }) => {
      setOpened(false)
      setTitle('')
      void navigate({ to: `${addressOf(data.id)}?view=edit` })
    },
  })
  const submit = () => create.mutate({ body: { title, engagementId, ...(isBelow && parentId !== undefined && { parentId }) } })
  const open = (below: boolean) => {
    setBelow(below)
    setOpened(true)
  }
  const close = () => setOpened(false)
  return (
    <Group gap="xs">
      <Button
        size={isFirst ? 'sm' : 'xs'}
        variant={isFirst ? 'filled' : 'default'}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => open(false)}
      >
        {isFirst ? 'Write the first page' : 'New page'}
      </Button>
      {parentId !== undefined && (
        <Button size="xs" variant="subtle" onClick={() => open(true)}>
          Below this one
        </Button>
      )}
      <Dialog opened={opened} onClose={close} title="New page" size="sm">
        <DialogForm
          submitLabel="Create page"
          onSubmit={submit}
          onCancel={close}
          loading={create.isPending}
          disabled={title.trim() === ''}
          error={create.error ? messageOf(create.error) : undefined}
        >
          <TextInput label="Title" value={title} maxLength={200} data-autofocus onChange={(event) => setTitle(event.currentTarget.value)} />
        </DialogForm>
      </Dialog>
    </Group>
  )
}
