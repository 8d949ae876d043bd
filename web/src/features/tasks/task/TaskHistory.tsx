import { Text } from '@mantine/core'
import { rows } from '../../../api/rows.ts'
import { type ActivityEntry, describeChange, describeEntry } from '../../../domain/activity.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { CursorList } from '../../../shell/reads/CursorList.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import type { Column } from '../../../ui/lists/DataTable.tsx'
import { Person } from '../../../ui/people/Person.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'

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
  {
    header: 'Who',
    kind: 'secondary',
    cell: ({ actor }) => (actor.type === 'key' ? `${actor.name} (API key)` : <Person name={actor.name} />),
  },
  { header: 'When', kind: 'secondary', cell: ({ createdAt }) => <TimeAgo iso={createdAt} /> },
]

/** Who changed what in a task, newest first. */
export const TaskHistory = ({ taskId }: { taskId: string }) => {
  const organization = useOrganization()
  const params = { taskId }
  return (
    <CursorList
      label="History"
      {...rows(organization.id, 'listTaskHistory', { params })}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      empty={<EmptyState title="No changes yet" />}
      more="Show older entries"
    />
  )
}
