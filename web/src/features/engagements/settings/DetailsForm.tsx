import { Group, MultiSelect, NativeSelect, Radio, Select, Stack, TextInput } from '@mantine/core'
import { ENGAGEMENT_KINDS } from '@sortie/contract/engagement/engagement-details.ts'
import { useQueryClient } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { PageForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { KIND_LABELS } from '../kinds.ts'
import { ContactsField } from './ContactsField.tsx'
import { ACCESS_LABELS, labelsWith, savedOf } from './details-values.ts'
import { TestingHoursField } from './TestingHoursField.tsx'

interface Person {
  id: string
  name: string
}

/** Client, kind, dates, hours, people and access of an engagement. @param members options for lead and team */
export const DetailsForm = ({ members }: { members: readonly Person[] }) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const { details } = useEngagement()
  const params = { engagementId: details.engagementId }
  const send = useSend(organization.id, 'updateEngagementDetails', [
    [organization.id, 'getEngagementDetails'],
    [organization.id, 'listEngagementSummaries'],
    [organization.id, 'listEngagementActivity'],
  ])
  const form = useDraftForm({
    draft: `engagement-details/${details.engagementId}`,
    saved: savedOf(details),
    send: (values, ifUpdatedAt) => send({ params, body: { ...values, ...(ifUpdatedAt && { ifUpdatedAt }) } }),
    savedBy: ({ data }) => savedOf(data),
    reread: async () =>
      savedOf((await cache.fetchQuery(query(organization.id, 'getEngagementDetails', { params }))).data),
    onSaved: () => toast('Saved.'),
  })
  const people = members.map(({ id, name }) => ({ value: id, label: name }))
  const nameOf = (id: string) => members.find((member) => member.id === id)?.name ?? id
  const day = (field: 'startsOn' | 'endsOn') => {
    const { value, onChange: _, ...others } = form.getInputProps(field)
    return {
      ...others,
      value: (value as string | null) ?? '',
      onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
        form.setFieldValue(field, currentTarget.value || null),
    }
  }
  return (
    <PageForm form={form} labels={labelsWith(nameOf)} submitLabel="Save" disabled={!form.hasChanges}>
      <TextInput label="Client" maxLength={200} {...form.getInputProps('clientName')} />
      <NativeSelect
        label="Kind"
        data={ENGAGEMENT_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
        {...form.getInputProps('kind')}
      />
      <Group grow align="flex-start">
        <TextInput type="date" label="First day" {...day('startsOn')} />
        <TextInput type="date" label="Last day" {...day('endsOn')} />
      </Group>
      <TestingHoursField
        value={form.values.testingHours}
        onChange={(hours) => form.setFieldValue('testingHours', hours)}
        error={form.errors.testingHours}
      />
      <Select label="Lead" placeholder="None" data={people} searchable clearable {...form.getInputProps('lead')} />
      <MultiSelect
        label="Team"
        placeholder="Add someone"
        data={people}
        searchable
        clearable
        maxValues={100}
        {...form.getInputProps('team')}
      />
      <Radio.Group label="Visible to" {...form.getInputProps('access')}>
        <Stack gap={6} mt={6}>
          <Radio value="organization" label={ACCESS_LABELS.organization} />
          <Radio value="team" label={ACCESS_LABELS.team} />
        </Stack>
      </Radio.Group>
      <ContactsField
        value={form.values.contacts}
        onChange={(contacts) => form.setFieldValue('contacts', contacts)}
        error={form.errors.contacts}
      />
    </PageForm>
  )
}
