import { CloseButton, Group, Stack, Text } from '@mantine/core'
import { messageOf } from '../../../../api/api.ts'
import { objectPath } from '../../../../paths.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { TextLink } from '../../../../shell/routing/links.tsx'
import { toastError } from '../../../../ui/toasts/toast.ts'
import type { Task } from '../../labels.tsx'
import { useChangeLatest } from '../use-change-latest.ts'
import { TYPE_LABELS } from './link-types.ts'
import { LinkPicker } from './LinkPicker.tsx'

interface LinksProps {
  task: Task
  mayChange: boolean
  /** The field for a new link gets the focus. */
  hasFocus: boolean
}

/** Linked objects of a task, by title. Deleted ones are struck through. */
export const Links = ({ task, mayChange, hasFocus }: LinksProps) => {
  const { slug } = useOrganization()
  const { change } = useChangeLatest(task.id)
  const tell = (error: unknown) => toastError(messageOf(error))
  const without = (id: string) =>
    change(({ links }) => ({ links: links.filter((link) => link.id !== id).map(toReference) })).catch(tell)
  return (
    <Stack gap={4}>
      {task.links.map((link) => {
        const { type, id, title, deleted } = link
        return (
          <Group key={id} gap="xs" wrap="nowrap">
            <Text size="sm">
              <Text span c="dimmed">
                {TYPE_LABELS[type]}{' '}
              </Text>
              {deleted ? (
                <del title="Deleted">{title ?? id}</del>
              ) : (
                <TextLink to={objectPath(slug, type, id)}>{title ?? id}</TextLink>
              )}
            </Text>
            {mayChange && (
              <CloseButton
                size="xs"
                aria-label={`Remove the link to ${title ?? id}`}
                onClick={() => void without(id)}
              />
            )}
          </Group>
        )
      })}
      {mayChange && (
        <LinkPicker
          task={task}
          hasFocus={hasFocus}
          onChoose={(added) => change(({ links }) => ({ links: [...links.map(toReference), added] })).catch(tell)}
        />
      )}
    </Stack>
  )
}

const toReference = ({ type, id }: Task['links'][number]) => ({ type, id })
