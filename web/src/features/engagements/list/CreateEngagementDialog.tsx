import { Group, MultiSelect, Radio, Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { query } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { paths } from '../../../paths.ts'
import type { EngagementDetails } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useMembers } from '../../../shell/context/use-members.ts'
import { ClientField } from '../../../shell/fields/ClientField.tsx'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { ACCESS_LABELS } from '../access.ts'
import { KIND_OPTIONS } from '../kinds.ts'
import type { TestingHours } from '../testing-hours.ts'
import { TestingHoursField } from '../workspace/properties/TestingHoursField.tsx'

/** @param onClose resolves once the dialog is removed from the address */
export const CreateEngagementDialog = ({ opened, onClose }: { opened: boolean; onClose: () => Promise<void> }) => (
  <Dialog opened={opened} onClose={() => void onClose()} title="New engagement" size="lg">
    <CreateForm onClose={onClose} />
  </Dialog>
)

type Details = NonNullable<NonNullable<Input<'createEngagement'>['body']>['details']>

const EMPTY = {
  template: '',
  name: '',
  clientName: '',
  description: '',
  kinds: [] as EngagementDetails['kinds'],
  startsOn: '',
  endsOn: '',
  testingHours: null as TestingHours | null,
  lead: null as string | null,
  team: [] as string[],
  access: 'organization' as EngagementDetails['access'],
}

/** What a template engagement gives to a new one. */
const FROM_TEMPLATE = ['details', 'scope', 'targets', 'tasks', 'wiki', 'requests'] as const

/** Only what was entered: the rest comes from the template, or is the default. */
const detailsOf = ({
  clientName,
  kinds,
  startsOn,
  endsOn,
  testingHours,
  lead,
  team,
  access,
}: typeof EMPTY): Details => ({
  access,
  ...(clientName && { clientName }),
  ...(kinds.length > 0 && { kinds }),
  ...(startsOn && { startsOn }),
  ...(endsOn && { endsOn }),
  ...(testingHours && { testingHours }),
  ...(lead && { lead }),
  ...(team.length > 0 && { team }),
})

const CreateForm = ({ onClose }: { onClose: () => Promise<void> }) => {
  const organization = useOrganization()
  const router = useRouter()
  const members = useMembers()
  const templates = useQuery(
    query(organization.id, 'listEngagementSummaries', { query: { template: true, perPage: 100 } }),
  )
  const stale = [
    [organization.id, 'listEngagements'],
    [organization.id, 'listEngagementSummaries'],
  ] as const
  const create = useSend(organization.id, 'createEngagement', stale)
  const clone = useSend(organization.id, 'cloneEngagement', stale)
  const form = useDraftForm({
    draft: `organization/${organization.id}/new-engagement`,
    saved: { values: EMPTY },
    // Access is part of the request, so that a restricted engagement is never visible to others.
    send: (values) => {
      const { template, name, description } = values
      const details = detailsOf(values)
      return template
        ? clone({ params: { engagementId: template }, body: { name, include: [...FROM_TEMPLATE], details } })
        : create({ body: { name, description, details } })
    },
    onSaved: async ({ data }) => {
      // Removes the dialog from the address first, so that Back opens the list and not an empty dialog.
      await onClose()
      await router.navigate({ href: paths.engagement(organization.slug, data.id) })
    },
  })
  const people = (members.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const offered = templates.data?.data ?? []
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Create engagement"
      onCancel={() => void onClose()}
      disabled={!form.values.name.trim()}
    >
      {offered.length > 0 && (
        <Choice
          label="Start from"
          data={[
            { value: '', label: 'An empty engagement' },
            ...offered.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...form.getInputProps('template')}
        />
      )}
      <TextInput
        label="Name"
        placeholder="Contoso external perimeter 2026"
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <ClientField label="Client" {...form.getInputProps('clientName')} />
      <MultiSelect label="Kinds" data={KIND_OPTIONS} searchable {...form.getInputProps('kinds')} />
      <Group grow align="flex-start">
        <DateField label="First day" {...form.getInputProps('startsOn')} />
        <DateField label="Last day" {...form.getInputProps('endsOn')} />
      </Group>
      <TestingHoursField
        value={form.values.testingHours}
        onChange={(hours) => form.setFieldValue('testingHours', hours)}
        error={form.errors.testingHours}
      />
      {/* A member who may only create engagements leads them. */}
      {organization.permissions.changeEngagements && (
        <Select label="Lead" placeholder="None" data={people} searchable clearable {...form.getInputProps('lead')} />
      )}
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
      {!form.values.template && (
        <Textarea
          label="Description"
          description="Markdown: scope, rules, contacts. It can be changed at any time."
          autosize
          minRows={4}
          maxRows={14}
          {...form.getInputProps('description')}
        />
      )}
    </DraftDialogForm>
  )
}
