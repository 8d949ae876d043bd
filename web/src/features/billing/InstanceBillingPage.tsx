import { Button, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { rows } from '../../api/rows.ts'
import { CursorList } from '../../shell/reads/CursorList.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import type { Column } from '../../ui/lists/DataTable.tsx'
import { IconLink } from '../../ui/page-icons.tsx'
import { Page, Section } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/toasts/toast.ts'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { LinkCustomerDialog } from './LinkCustomerDialog.tsx'

type Customer = Output<'listBillingCustomers'>['data'][number]
type UnknownCustomer = Output<'listUnknownBillingCustomers'>['data'][number]

export const InstanceBillingPage = () => {
  const [linking, setLinking] = useState<string>()
  const [unlinking, setUnlinking] = useState<Customer>()
  return (
    <Page
      title="Billing"
      description="Which customer of the payment provider pays for which organization. Only administrators set this, never the provider."
      actions={
        <Button leftSection={<IconLink size={14} aria-hidden />} onClick={() => setLinking('')}>
          Link a customer
        </Button>
      }
    >
      <Section title="Customers">
        <CursorList
          label="Customers"
          {...rows(null, 'listBillingCustomers')}
          columns={customerColumns(setUnlinking)}
          rowKey={({ organizationId }) => organizationId}
          empty={
            <EmptyState title="No organization is linked yet">
              The plan of an organization follows its customer's subscription once the two are linked.
            </EmptyState>
          }
          more="Show more customers"
        />
      </Section>
      <Section
        title="Unknown customers"
        description="They had events in the last 30 days, but are not linked to an organization. Linking one applies its events."
      >
        <CursorList
          label="Unknown customers"
          {...rows(null, 'listUnknownBillingCustomers')}
          columns={unknownColumns(setLinking)}
          rowKey={({ customerId }) => customerId}
          empty={<EmptyState title="There are none" />}
          more="Show more customers"
        />
      </Section>
      <LinkCustomerDialog customerId={linking} onClose={() => setLinking(undefined)} />
      <UnlinkDialog customer={unlinking} onClose={() => setUnlinking(undefined)} />
    </Page>
  )
}

const customerColumns = (onUnlink: (customer: Customer) => void): Column<Customer>[] => [
  {
    header: 'Organization',
    cell: ({ organizationName, customerId }) => (
      <div>
        <Text size="sm" fw={500}>
          {organizationName}
        </Text>
        <Text size="xs" c="dimmed">
          {customerId}
        </Text>
      </div>
    ),
  },
  { header: 'Linked', kind: 'secondary', cell: ({ linkedAt }) => <TimeAgo iso={linkedAt} /> },
  {
    header: 'Actions',
    kind: 'actions',
    cell: (customer) => (
      <Button variant="default" aria-label={`Unlink ${customer.organizationName}`} onClick={() => onUnlink(customer)}>
        Unlink
      </Button>
    ),
  },
]

const unknownColumns = (onLink: (customerId: string) => void): Column<UnknownCustomer>[] => [
  { header: 'Customer', cell: ({ customerId }) => <code>{customerId}</code> },
  { header: 'Events', kind: 'secondary', cell: ({ events }) => events },
  { header: 'Last event', kind: 'secondary', cell: ({ lastReceivedAt }) => <TimeAgo iso={lastReceivedAt} /> },
  {
    header: 'Actions',
    kind: 'actions',
    cell: ({ customerId }) => (
      <Button variant="default" aria-label={`Link ${customerId}`} onClick={() => onLink(customerId)}>
        Link
      </Button>
    ),
  },
]

const UnlinkDialog = ({ customer, onClose }: { customer: Customer | undefined; onClose: () => void }) => {
  const unlink = useApiMutation(null, 'unlinkBillingCustomer', {
    invalidates: [
      [null, 'listBillingCustomers'],
      [null, 'listUnknownBillingCustomers'],
    ],
    onSuccess: () => {
      toast(`${customer?.organizationName} is no longer linked.`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened={customer !== undefined}
      onClose={onClose}
      onConfirm={() => customer && unlink.mutate({ params: { organizationId: customer.organizationId } })}
      title={`Unlink ${customer?.organizationName ?? ''}?`}
      confirmLabel="Unlink"
      loading={unlink.isPending}
      error={unlink.error ? messageOf(unlink.error) : undefined}
    >
      A plan that the subscription of {customer?.customerId} provided ends immediately. Further events wait for a new
      link.
    </ConfirmDialog>
  )
}
