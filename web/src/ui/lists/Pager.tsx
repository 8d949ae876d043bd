import { Button, Group, Text } from '@mantine/core'

/** Position in a paginated list, with buttons to the other pages. */
export const Pager = ({
  page,
  totalPages,
  total,
  noun,
  onPage,
}: {
  page: number
  totalPages: number
  total: number
  noun: string
  onPage: (page: number) => void
}) => (
  <Group component="nav" justify="space-between" gap="xs" aria-label="Pages">
    <Text size="xs" c="dimmed" aria-live="polite">
      {total} {noun}
      {totalPages > 1 && `, page ${page} of ${totalPages}`}
    </Text>
    {totalPages > 1 && (
      <Group gap="xs">
        <Button variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        <Button variant="default" disabled={page >= totalPages} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </Group>
    )}
  </Group>
)
