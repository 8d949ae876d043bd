import { Text } from '@mantine/core'
import { rows } from '../../../api/rows.ts'
import { type ActivityEntry, describeChange, describeEntry } from '../../../domain/activity.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { CursorList } from '../../../shell/reads/CursorList.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import type { Column } from '../../../ui/lists/DataTable.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { Person } from '../../../ui/people/Person.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'

const COLUMNS: Column<ActivityEntry>[] = [
  { header: 'What', cell: (entry) => <WhatCell entry={entry} /> },
  {
    header: 'Who',
    kind: 'secondary',
    cell: ({ actor }) => (actor.type === 'key' ? `${actor.name} (API key)` : <Person name={actor.name} />),
  },
  { header: 'When', kind: 'secondary', cell: ({ createdAt }) => <TimeAgo iso={createdAt} /> },
]

/** Who changed what in the engagement, newest first. */
export const ActivityPage = () => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const params = { engagementId: engagement.id }
  return (
    <Page
      title="Activity"
      documentTitle={`Activity · ${engagement.name}`}
      description="Who changed what in this engagement, newest first."
    >
      <CursorList
        label="Activity"
        {...rows(organization.id, 'listEngagementActivity', { params })}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={<EmptyState title="Nothing has happened yet" />}
        more="Show older entries"
      />
    </Page>
  )
}

const WhatCell = ({ entry }: { entry: ActivityEntry }) => (
  <div>
    <Text size="sm" fw={500}>
      {describeEntry(entry)}
    </Text>
    <Text size="xs" c="dimmed">
      {describeChange(entry)}
    </Text>
  </div>
)
