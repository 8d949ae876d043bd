import { Button, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { StatusLabel, type Tone } from '../../ui/feedback/StatusLabel.tsx'
import { type Column, DataTable } from '../../ui/lists/DataTable.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { useWebhookActions } from './use-webhook-actions.ts'
import type { Delivery, Webhook } from './webhook.ts'

/** While a delivery waits, its attempts are read again after this time. */
const REREAD_MS = 3_000

/** The newest deliveries to one endpoint, with their attempts. */
export const Deliveries = ({ webhook }: { webhook: Webhook }) => {
  const organization = useOrganization()
  const list = useQuery({
    ...query(organization.id, 'listWebhookDeliveries', { query: { endpointId: [webhook.id], perPage: 50 } }),
    refetchInterval: ({ state }) => (state.data?.data.some(({ state: of }) => of === 'pending') ? REREAD_MS : false),
  })
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
      <Title order={2} size="h4">
        Deliveries to {webhook.name}
      </Title>
      <QueryView query={list}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm">Nothing was sent to it in the last 30 days.</Text>
          ) : (
            <DataTable label="Deliveries" columns={columns} rows={data} rowKey={({ id }) => id} />
          )
        }
      </QueryView>
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
