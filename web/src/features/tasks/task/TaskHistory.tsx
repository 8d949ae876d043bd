import { Text } from '@mantine/core'
import { call } from '../../../api.ts'
import { type ActivityEntry, describeChange, describeEntry } from '../../../shell/activity.ts'
import { CursorList } from '../../../shell/CursorList.tsx'
import { useOrganization } from '../../../shell/organization.tsx'
import type { Column } from '../../../ui/DataTable.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'

const COLUMNS: Column<ActivityEntry>[] = [
  {
    header: 'What',
    cell: (entry) => (
      <div>
        <Text size="sm">{describeEntry({ ...entry, object: { ...entry.object, name: null } })}</Text>
        <Text size="xs" c="dimmed">
          {describeChange(entry)}
        </Text>
      </div>
    ),
  },
  { header: 'Who', kind: 'secondary', cell: ({ actor }) => (actor.type === 'key' ? `${actor.name} (API key)` : actor.name) },
  { header: 'When', kind: 'secondary', cell: ({ createdAt }) => <TimeAgo iso={createdAt} /> },
]

/** Who changed what in a task, newest first. */
export const TaskHistory = ({ taskId }: { taskId: string }) => {
  const organization = useOrganization()
  const params = { taskId }
  return (
    <CursorList
      label="History"
      queryKey={[organization.id, 'listTaskHistory', params]}
      read={(query, signal) => call(organization.id, 'listTaskHistory', { params, query }, { signal })}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      empty={<EmptyState title="No changes yet" />}
      more="Show older entries"
    />
  )
}
