import { Group, Text, TextInput } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { useRouter } from '@tanstack/react-router'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { formatDay } from '../../../ui/dates/dates.ts'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { staleRetestReads } from './retest-words.tsx'

type Body = Input<'createRetest'>['body']
/** Findings by id, or by the filters of their list. */
export type RetestedFindings = Pick<Body, 'findingIds' | 'filter'>

interface PlanRetestDialogProps {
  engagementId: string
  /** Absent: the dialog offers a choice by status. */
  findings?: RetestedFindings
  /** `3 findings`, for the title. */
  counted?: string
  onClose: () => void | Promise<void>
}

/** Plans a retest of findings, and opens it. */
export const PlanRetestDialog = (props: PlanRetestDialogProps) => (
  <Dialog
    opened
    onClose={() => void props.onClose()}
    title={props.counted === undefined ? 'Plan a retest' : `Plan a retest of ${props.counted}`}
  >
    <PlanForm {...props} />
  </Dialog>
)

const CHOICES = [
  { value: 'open,partly_fixed', label: 'Open and partly fixed findings' },
  { value: 'fixed', label: 'Fixed findings' },
  { value: 'open,partly_fixed,fixed,not_reproducible', label: 'All except withdrawn findings' },
]

const chosenOf = (engagementId: string, statuses: string): RetestedFindings => ({
  filter: { engagementId, status: statuses.split(',') } as NonNullable<Body['filter']>,
})

const PlanForm = ({ engagementId, findings, onClose }: PlanRetestDialogProps) => {
  const organization = useOrganization()
  const router = useRouter()
  const { engagement } = useEngagement()
  const send = useSend(organization.id, 'createRetest', staleRetestReads(organization.id))
  const form = useDraftForm({
    saved: {
      values: {
        name: `Retest ${formatDay(new Date().toISOString().slice(0, 10))}`,
        statuses: CHOICES[0]?.value ?? '',
        startsOn: '',
        endsOn: '',
      },
    },
    send: ({ name, statuses, startsOn, endsOn }) =>
      send({
        body: {
          engagementId,
          name,
          startsOn: startsOn || null,
          endsOn: endsOn || startsOn || null,
          ...(findings ?? chosenOf(engagementId, statuses)),
        },
      }),
    onSaved: async ({ data }) => {
      await onClose()
      await router.navigate({ href: paths.retest(organization.slug, engagementId, data.id) })
    },
  })
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Plan retest"
      onCancel={() => void onClose()}
      disabled={!form.values.name.trim()}
    >
      <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
      {findings === undefined && <Choice label="Findings" data={CHOICES} {...form.getInputProps('statuses')} />}
      <Group grow align="flex-start">
        <DateField label="First day" {...form.getInputProps('startsOn')} />
        <DateField label="Last day" {...form.getInputProps('endsOn')} />
      </Group>
      <Text size="sm" c="dimmed">
        {engagement.status === 'completed'
          ? 'This engagement is completed: requests and scans are sent only by a running retest, on its dates. Without dates it sends nothing. Testing hours apply.'
          : 'While the retest runs, its dates count as testing dates of the engagement. Testing hours apply.'}
      </Text>
    </DraftDialogForm>
  )
}
