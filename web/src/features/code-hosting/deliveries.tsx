import { Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import type { Column } from '../../ui/lists/DataTable.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'

type Delivery = Output<'listDeliveries'>['data'][number]

export const DELIVERY_COLUMNS: Column<Delivery>[] = [
  {
    header: 'Notification',
    cell: ({ event, action, deliveryId }) => (
      <div>
        <Text size="sm" fw={500}>
          {event}
          {action && `, ${action}`}
        </Text>
        {deliveryId && (
          <Text size="xs" c="dimmed">
            {deliveryId}
          </Text>
        )}
      </div>
    ),
  },
  { header: 'Repository', cell: ({ repository }) => repository ?? 'none' },
  { header: 'Received', kind: 'secondary', cell: ({ receivedAt }) => <TimeAgo iso={receivedAt} /> },
]
