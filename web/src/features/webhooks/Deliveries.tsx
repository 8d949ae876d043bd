import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { rows } from '../../api/rows.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { CursorList } from '../../shell/reads/CursorList.tsx'
import { StatusLabel, type Tone } from '../../ui/feedback/StatusLabel.tsx'
import type { Column } from '../../ui/lists/DataTable.tsx'
import { FilterTabs } from '../../ui/lists/Filters.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { useWebhookActions } from './use-webhook-actions.ts'
import type { Delivery, Webhook } from './webhook.ts'

/** No event reports an attempt: they are read again after this time. */
const REREAD_MS = 3_000

type Shown = Delivery['state'] | 'all'

/** The deliveries to one endpoint, the newest first, with their attempts. */
export const Deliveries = ({ webhook }: { webhook: Webhook }) => {
  const organization = useOrganization()
  const [shown, setShown] = useState<Shown>('all')
  const { resend } = useWebhookActions()
  const columns: Column<Delivery>[] = [
    { header: 'Event', cell: ({ event }) => <Text size="sm">{event}</Text> },
    { header: 'Created', kind: 'secondary', cell: ({ createdAt }) => <TimeAgo iso={createdAt} /> },
    {
      header: 'State',
      kind: 'secondary',
      cell: ({ state }) => <StatusLabel tone={TONES[state]}>{STATE_LABELS[state]}</StatusLabel>,
    },
    { header: 'Attempts', kind: 'secondary', cell: (delivery) => <Attempts delivery={delivery} /> },
    {
      header: 'Actions',
      kind: 'actions',
      cell: ({ id, state, event }) =>
        state !== 'pending' && (
          <Button
            variant="default"
            size="compact-xs"
            disabled={!webhook.enabled}
            aria-label={`Send ${event} again`}
            onClick={() => resend.mutate({ params: { deliveryId: id } })}
          >
            Send again
          </Button>
        ),
    },
  ]
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4">
          Deliveries to {webhook.name}
        </Title>
        <FilterTabs label="State of the deliveries" value={shown} options={FILTERS} onChange={setShown} />
      </Group>
      <CursorList
        label="Deliveries"
        {...rows(organization.id, 'listWebhookDeliveries', {
          query: { endpointId: [webhook.id], ...(shown !== 'all' && { state: [shown] }) },
        })}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<Text size="sm">{EMPTY[shown]}</Text>}
        more="Show older deliveries"
        refreshAfter={() => REREAD_MS}
      />
    </Stack>
  )
}

const TONES: Readonly<Record<Delivery['state'], Tone>> = {
  pending: 'busy',
  delivered: 'good',
  failed: 'bad',
  cancelled: 'quiet',
}
const STATE_LABELS: Readonly<Record<Delivery['state'], string>> = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

const FILTERS: readonly { value: Shown; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: STATE_LABELS.pending },
  { value: 'failed', label: STATE_LABELS.failed },
  { value: 'cancelled', label: STATE_LABELS.cancelled },
  { value: 'delivered', label: STATE_LABELS.delivered },
]
const EMPTY: Readonly<Record<Shown, string>> = {
  all: 'Nothing was sent to it in the last 30 days.',
  pending: 'Nothing waits.',
  failed: 'No delivery has failed after its last attempt.',
  cancelled: 'No delivery was cancelled.',
  delivered: 'Nothing was delivered in the last 30 days.',
}

const Attempts = ({ delivery: { attempts, nextAttemptAt } }: { delivery: Delivery }) => (
  <Stack gap={2}>
    {attempts.map(({ at, status, durationMs, error }) => (
      <Text key={at} size="xs">
        <TimeAgo iso={at} />: {error ?? `answered ${status}`}, after {durationMs} ms
      </Text>
    ))}
    {nextAttemptAt !== null && attempts.length > 0 && (
      <Text size="xs" c="dimmed">
        Next attempt: <TimeAgo iso={nextAttemptAt} />
      </Text>
    )}
  </Stack>
)
