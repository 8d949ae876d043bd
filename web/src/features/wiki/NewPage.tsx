import { Button, Group, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, useCommand } from '../../api.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormElement } from '../../ui/FormElement.tsx'
import { useWiki } from './wiki-tree.tsx'

/** Makes a page: below the open one, or at the top. */
export const NewPage = ({ parentId }: { parentId: string | undefined }) => {
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
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => open(false)}>
        New page
      </Button>
      {parentId !== undefined && (
        <Button size="xs" variant="subtle" onClick={() => open(true)}>
          Below this one
        </Button>
      )}
      <Dialog opened={opened} onClose={() => setOpened(false)} title="New page" size="sm">
        <FormElement onSubmit={submit} loading={create.isPending}>
          <TextInput
            label="Title"
            value={title}
            maxLength={200}
            required
            data-autofocus
            onChange={(event) => setTitle(event.currentTarget.value)}
            error={create.error ? messageOf(create.error) : undefined}
          />
          <Group justify="flex-end" gap="xs" mt="md">
            <Button type="submit" loading={create.isPending}>
              Create page
            </Button>
          </Group>
        </FormElement>
      </Dialog>
    </Group>
  )
}
