import { Button, Group, TextInput } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { IconPlus } from '../../../ui/icons.tsx'
import { type PageSummary, useWiki } from '../wiki-tree.tsx'

interface NewPageProps {
  /** The open page, which can become the parent. */
  parentId?: string | undefined
  /** Shown in an empty wiki, as its only action. */
  isFirst?: boolean
  /** The address opens the dialog; closing it removes the parameter. */
  isAsked?: boolean
  /** Registers its command in the palette; only one instance on a page may do so. */
  hasCommands?: boolean
}

/** Creates a page below the open one, or at the top level. */
export const NewPage = ({ parentId, isFirst = false, isAsked = false, hasCommands = false }: NewPageProps) => {
  const { organizationId, engagementId, addressOf, home } = useWiki()
  const navigate = useNavigate()
  const [isOpened, setOpened] = useState(false)
  const opened = isOpened || isAsked
  const [title, setTitle] = useState('')
  const [isBelow, setBelow] = useState(false)
  const [templateId, setTemplateId] = useState('')
  const templates = useTemplates(opened)
  const create = useApiMutation(organizationId, 'createWikiPage', {
    invalidates: [[organizationId, 'listWikiPages']],
    onSuccess: ({ data }) => {
      setOpened(false)
      setTitle('')
      setTemplateId('')
      void navigate({ to: `${addressOf(data.id)}?view=edit` })
    },
  })
  const submit = () =>
    create.mutate({
      body: {
        title,
        engagementId,
        ...(isBelow && parentId !== undefined && { parentId }),
        ...(templateId && { templateId }),
      },
    })
  const open = (below: boolean) => {
    setBelow(below)
    setOpened(true)
  }
  const close = () => {
    setOpened(false)
    if (isAsked) void navigate({ to: home, replace: true })
  }
  useShortcuts(
    hasCommands
      ? [
          {
            id: 'new-page',
            label: 'New page',
            group: 'This page',
            icon: IconPlus,
            keywords: 'create add',
            shortcut: 'c',
            run: () => open(false),
          },
          ...(parentId === undefined
            ? []
            : [
                {
                  id: 'new-page-below',
                  label: 'New page below this one',
                  group: 'This page',
                  icon: IconPlus,
                  keywords: 'create add',
                  run: () => open(true),
                },
              ]),
        ]
      : [],
  )
  return (
    <Group gap="xs">
      <Button
        size={isFirst ? 'sm' : 'xs'}
        variant={isFirst ? 'filled' : 'default'}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => open(false)}
      >
        {isFirst ? 'Create the first page' : 'New page'}
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
          <TextInput
            label="Title"
            value={title}
            maxLength={200}
            data-autofocus
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          {templates.length > 0 && (
            <Choice
              label="Template"
              value={templateId}
              onChange={(chosen) => setTemplateId(chosen)}
              data={[
                { value: '', label: 'An empty page' },
                ...templates.map((template) => ({ value: template.id, label: template.title })),
              ]}
            />
          )}
        </DialogForm>
      </Dialog>
    </Group>
  )
}

/** Templates for a new page: those of the open wiki, and of the organization. */
const useTemplates = (enabled: boolean): PageSummary[] => {
  const { organizationId, engagementId, treeQuery } = useWiki()
  const trees = engagementId === null ? [treeQuery] : [treeQuery, { organization: true } as const]
  const read = useQueries({
    queries: trees.map((tree) => ({
      ...query(organizationId, 'listWikiPages', {
        query: { ...tree, isTemplate: true, sort: 'title', order: 'asc', perPage: 100 },
      }),
      enabled,
    })),
  })
  return read.flatMap(({ data }) => data?.data ?? [])
}
