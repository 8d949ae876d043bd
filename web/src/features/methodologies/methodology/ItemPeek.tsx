import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import classes from '../methodologies.module.css'
import type { Item } from '../reads.ts'

interface ItemPeekProps {
  item: Item
  /** Absent: read-only. */
  onEdit?: (() => void) | undefined
  onMove: (by: -1 | 1) => void
  onDelete: () => void
}

/** Preview of one item next to the list. */
export const ItemPeek = ({ item, onEdit, onMove, onDelete }: ItemPeekProps) => (
  <Stack gap="md">
    <Title order={2} className={classes.title}>
      {item.title}
    </Title>
    <Properties
      items={[
        ['Key', <code key="key">{item.key}</code>],
        ['Group', item.group || 'None'],
        ['Applies to', item.appliesTo.join(', ') || 'The engagement, once'],
      ]}
    />
    {item.description ? (
      <Markdown text={item.description} />
    ) : (
      <Text size="sm" c="dimmed">
        No description.
      </Text>
    )}
    {onEdit && (
      <Group gap="xs">
        <Button variant="default" onClick={onEdit}>
          Edit
        </Button>
        <Button variant="default" onClick={() => onMove(-1)}>
          Move up
        </Button>
        <Button variant="default" onClick={() => onMove(1)}>
          Move down
        </Button>
        <Button variant="default" onClick={onDelete}>
          Delete
        </Button>
      </Group>
    )}
  </Stack>
)
