import { Code, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { StatusLabel, type Tone } from '../../ui/feedback/StatusLabel.tsx'
import { IconCreditCard } from '../../ui/icons.tsx'
import { type Column, DataTable } from '../../ui/lists/DataTable.tsx'
import { Properties } from '../../ui/lists/Properties.tsx'
import { Page, Section } from '../../ui/page/Page.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'

type Billing = Output<'getBilling'>['data']
type Event = Billing['events'][number]
type Subscription = NonNullable<Billing['subscription']>

export const BillingPage = () => {
  const organization = useOrganization()
  const billing = useQuery(query(organization.id, 'getBilling'))
  return (
    <Page title="Billing" description="The plan of the organization, and the latest events of the payment provider.">
      <QueryView query={billing}>{({ data }) => <Loaded billing={data} />}</QueryView>
    </Page>
  )
}

const Loaded = ({ billing }: { billing: Billing }) => (
  <>
    <Section title="Plan">
      <Properties
        items={[
          ['Plan', billing.plan],
          [
            'Subscription',
            billing.subscription ? <SubscriptionState key="state" subscription={billing.subscription} /> : 'none',
          ],
          ...(billing.subscription?.periodEnd
            ? ([
                [
                  billing.subscription.cancelsAtPeriodEnd ? 'Ends' : 'Paid until',
                  <TimeAgo key="end" iso={billing.subscription.periodEnd} />,
                ],
              ] as const)
            : []),
          ['Customer', billing.customerId ? <code key="customer">{billing.customerId}</code> : 'not linked'],
        ]}
      />
      {billing.provider !== 'off' && billing.customerId === null && (
        <Text size="sm" c="dimmed">
          This organization is not linked to a paying customer yet. An instance administrator links it.
        </Text>
      )}
    </Section>
    {billing.provider === 'off' ? <SwitchedOff /> : <Events events={billing.events} />}
  </>
)

const SwitchedOff = () => (
  <EmptyState icon={<IconCreditCard size={32} stroke={1.4} />} title="Billing is not enabled">
    This installation accepts no notifications from a payment provider, so the plan does not change. To enable billing,
    the operator sets <Code>BILLING_PROVIDER=stripe</Code> and <Code>BILLING_WEBHOOK_SECRET</Code>, and restarts it.
  </EmptyState>
)

const TONES: Partial<Record<string, Tone>> = {
  active: 'good',
  trialing: 'good',
  past_due: 'warn',
  unpaid: 'bad',
  incomplete: 'warn',
}

const SubscriptionState = ({ subscription: { status, name, cancelsAtPeriodEnd } }: { subscription: Subscription }) => (
  <StatusLabel tone={TONES[status] ?? 'quiet'}>
    {name && `${name}, `}
    {status.replaceAll('_', ' ')}
    {cancelsAtPeriodEnd && ', cancelled at the end of the period'}
  </StatusLabel>
)

const OUTCOMES: Record<Event['outcome'], { word: string; tone: Tone }> = {
  applied: { word: 'Applied', tone: 'good' },
  superseded: { word: 'Out of date', tone: 'quiet' },
  'not-used': { word: 'Changes nothing here', tone: 'quiet' },
  unreadable: { word: 'Could not be read', tone: 'bad' },
}

const COLUMNS: Column<Event>[] = [
  {
    header: 'Event',
    cell: ({ type, id }) => (
      <div>
        <Text size="sm" fw={500}>
          {type}
        </Text>
        <Text size="xs" c="dimmed">
          {id}
        </Text>
      </div>
    ),
  },
  {
    header: 'Outcome',
    cell: ({ outcome }) => <StatusLabel tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].word}</StatusLabel>,
  },
  { header: 'Happened', kind: 'secondary', cell: ({ eventAt }) => <TimeAgo iso={eventAt} never="unknown" /> },
  { header: 'Received', kind: 'secondary', cell: ({ receivedAt }) => <TimeAgo iso={receivedAt} /> },
]

const Events = ({ events }: { events: readonly Event[] }) => (
  <Section title="Latest events" description="The latest 20 from the payment provider. They are kept for 30 days.">
    {events.length > 0 ? (
      <DataTable label="Events" columns={COLUMNS} rows={events} rowKey={({ id }) => id} />
    ) : (
      <EmptyState title="Nothing received yet">
        Events of the payment provider about this organization are listed here.
      </EmptyState>
    )}
  </Section>
)
