import { Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formErrors, query, useCommand } from '../../api.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { toast } from '../../ui/toast.ts'

/** Opens with a customer's id, or with an empty one to be typed. */
export const LinkCustomerDialog = ({ customerId, onClose }: { customerId: string | undefined; onClose: () => void }) => (
  <Dialog opened={customerId !== undefined} onClose={onClose} title="Link a customer">
    <LinkForm start={customerId ?? ''} onClose={onClose} />
  </Dialog>
)

const TYPING_PAUSE_MS = 200
const SHOWN = 20

const LinkForm = ({ start, onClose }: { start: string; onClose: () => void }) => {
  const [customerId, setCustomerId] = useState(start)
  const [organizationId, setOrganizationId] = useState<string | null>(null)
  const [search, setSearch] = useState('')
  const [wanted] = useDebouncedValue(search.trim(), TYPING_PAUSE_MS)
  const organizations = useQuery({
    ...query(null, 'listInstanceOrganizations', { query: { page: 1, perPage: SHOWN, ...(wanted && organizationId === null && { search: wanted }) } }),
    placeholderData: keepPreviousData,
  })
  const link = useCommand(null, 'linkBillingCustomer', {
    invalidates: [
      [null, 'listBillingCustomers'],
      [null, 'listUnknownBillingCustomers'],
    ],
    onSuccess: ({ data }) => {
      toast(`${data.customerId} pays for ${data.organizationName} now.`)
      onClose()
    },
  })
  const errors = link.error ? formErrors(link.error, ['customerId']) : { fields: {} }
  return (
    <DialogForm
      submitLabel="Link"
      onSubmit={() => organizationId && link.mutate({ params: { organizationId }, body: { customerId: customerId.trim() } })}
      onCancel={onClose}
      error={errors.form}
      loading={link.isPending}
      disabled={!customerId.trim() || organizationId === null}
    >
      <TextInput
        label="Customer"
        description="Its id at the payment provider."
        placeholder="cus_QXg1o2F3h4J5k6"
        value={customerId}
        onChange={(event) => setCustomerId(event.currentTarget.value)}
        error={errors.fields.customerId}
        autoComplete="off"
        spellCheck={false}
        data-autofocus={start === '' || undefined}
      />
      <Select
        label="Organization"
        placeholder="Type a part of its name"
        searchable
        clearable
        filter={({ options }) => options}
        searchValue={search}
        onSearchChange={setSearch}
        value={organizationId}
        onChange={setOrganizationId}
        data={(organizations.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        nothingFoundMessage="No organization matches"
        data-autofocus={start !== '' || undefined}
      />
    </DialogForm>
  )
}
