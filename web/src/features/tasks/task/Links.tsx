import { Stack, Text } from '@mantine/core'
import { objectPath } from '../../../paths.ts'
import { TextLink } from '../../../shell/links.tsx'
import { useOrganization } from '../../../shell/organization.tsx'
import type { Task } from '../words.tsx'

type Link = Task['links'][number]

const TYPE_LABELS: Record<Link['type'], string> = {
  target: 'Target',
  result: 'Result',
  page: 'Wiki page',
  request: 'API request',
  scan: 'Scan',
  task: 'Task',
}

/** What a task is about, by title. What is gone is struck out. */
export const Links = ({ links }: { links: readonly Link[] }) => {
  const { slug } = useOrganization()
  return (
    <Stack gap={4}>
      {links.map((link) => {
        const { type, id, title, deleted } = link
        return (
          <Text key={id} size="sm">
            <Text span c="dimmed">
              {TYPE_LABELS[type]}{' '}
            </Text>
            {deleted ? <del title="Deleted">{title ?? id}</del> : <TextLink to={objectPath(slug, type, id)}>{title ?? id}</TextLink>}
          </Text>
        )
      })}
    </Stack>
  )
}
