import { Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../api/api.ts'
import { useSend } from '../../api/use-send.ts'
import { DraftDialogForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { keepPrevious } from '../../ui/lists/keep-previous.ts'
import { toast } from '../../ui/toasts/toast.ts'

/** Opens with the customer's id, or empty for the user to enter one. */
export const LinkCustomerDialog = ({
  customerId,
  onClose,
}: {
  customerId: string | undefined
  onClose: () => void
}) => (
  <Dialog opened={customerId !== undefined} onClose={onClose} title="Link a customer">
    <LinkForm start={customerId ?? ''} onClose={onClose} />
  </Dialog>
)

const TYPING_PAUSE_MS = 200
const SHOWN = 20

const LinkForm = ({ start, onClose }: { start: string; onClose: () => void }) => {
  const send = useSend(null, 'linkBillingCustomer', [
    [null, 'listBillingCustomers'],
    [null, 'listUnknownBillingCustomers'],
  ])
  const form = useDraftForm({
    draft: `new-customer/${start}`,
    saved: { values: { customerId: start, organizationId: null as string | null } },
    send: ({ customerId, organizationId }) =>
      send({ params: { organizationId: organizationId ?? '' }, body: { customerId: customerId.trim() } }),
    onSaved: ({ data }) => {
      toast(`${data.customerId} pays for ${data.organizationName} now.`)
      onClose()
    },
  })
  const { customerId, organizationId } = form.values
  const [search, setSearch] = useState('')
  const [wanted] = useDebouncedValue(search.trim(), TYPING_PAUSE_MS)
  const organizations = useQuery({
    ...query(null, 'listInstanceOrganizations', {
      query: { page: 1, perPage: SHOWN, ...(wanted && organizationId === null && { search: wanted }) },
    }),
    placeholderData: keepPrevious([null, 'listInstanceOrganizations']),
  })
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Link"
      onCancel={onClose}
      disabled={!customerId.trim() || organizationId === null}
    >
      <TextInput
        label="Customer"
        description="Its id at the payment provider."
        placeholder="cus_QXg1o2F3h4J5k6"
        {...form.getInputProps('customerId')}
        autoComplete="off"
        spellCheck={false}
        data-autofocus={start === '' || undefined}
      />
      <Select
        label="Organization"
        placeholder="Type part of its name"
        searchable
        clearable
        filter={({ options }) => options}
        searchValue={search}
        onSearchChange={setSearch}
        {...form.getInputProps('organizationId')}
        data={(organizations.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        nothingFoundMessage="No organization matches"
        data-autofocus={start !== '' || undefined}
      />
    </DraftDialogForm>
  )
}
