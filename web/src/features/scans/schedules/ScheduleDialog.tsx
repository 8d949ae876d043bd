import { TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useState } from 'react'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { UnscopedNotice, useIsUnscoped } from '../../../shell/banners/UnscopedNotice.tsx'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import type { Scanner, Schedule } from '../labels.ts'
import { targetsOf } from '../new/scan-values.ts'
import { ScannersField } from '../new/ScannersField.tsx'
import { TargetsField } from '../new/TargetsField.tsx'
import { WithScanners } from '../new/WithScanners.tsx'
import { staleAfterSchedules } from '../stale.ts'
import { isComplete, newSchedule, type ScheduleValues, timingOf, valuesOf } from './schedule-values.ts'
import { TimingField } from './TimingField.tsx'

interface ScheduleDialogProps {
  /** Absent: creates a schedule. */
  schedule?: Schedule
  onClose: () => void
}

/** Creates or edits a scan schedule. */
export const ScheduleDialog = (props: ScheduleDialogProps) => (
  <Dialog opened onClose={props.onClose} title={props.schedule ? 'Edit the schedule' : 'New schedule'} size="lg">
    <WithScanners>{(scanners) => <ScheduleForm {...props} scanners={scanners} />}</WithScanners>
  </Dialog>
)

type Answer = Output<'createScanSchedule'>

const ScheduleForm = ({ schedule, scanners, onClose }: ScheduleDialogProps & { scanners: readonly Scanner[] }) => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const isUnscoped = useIsUnscoped(engagement.id) ?? false
  const invalidates = staleAfterSchedules(organization.id)
  const create = useSend(organization.id, 'createScanSchedule', invalidates)
  const update = useSend(organization.id, 'updateScanSchedule', invalidates)
  const chosen = schedule && { filter: schedule.targets.filter }
  const [saved] = useState(() => ({ values: schedule ? valuesOf(schedule) : newSchedule(scanners) }))
  const form = useDraftForm<ScheduleValues, Answer>({
    draft: schedule ? `schedule/${schedule.id}` : `engagement/${engagement.id}/new-schedule`,
    saved,
    send: (values) => {
      const { filter = { engagementId: engagement.id } } = targetsOf(values, {
        engagementId: engagement.id,
        isUnscoped,
        chosen,
      })
      const body = { ...timingOf(values), targets: { filter } }
      return schedule
        ? update({ params: { scheduleId: schedule.id }, body })
        : create({ body: { engagementId: engagement.id, ...body } })
    },
    onSaved: ({ data }) => {
      toast(schedule ? 'Saved. The schedule now runs in your name.' : `Scheduled ${data.name}.`)
      onClose()
    },
  })
  const { values } = form
  return (
    <DraftDialogForm
      form={form}
      submitLabel={schedule ? 'Save' : 'Add schedule'}
      onCancel={onClose}
      disabled={!isComplete(values) || (schedule !== undefined && !form.hasChanges)}
    >
      <TextInput
        label="Name"
        placeholder="Perimeter, every weekday"
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TimingField values={values} onChange={(changes) => form.setValues(changes)} errors={form.errors} />
      <ScannersField
        scanners={scanners}
        value={values.scanners}
        onChange={(steps) => form.setFieldValue('scanners', steps)}
      />
      <UnscopedNotice engagementId={engagement.id} />
      <TargetsField
        engagementId={engagement.id}
        isUnscoped={isUnscoped}
        chosen={chosen}
        isForSchedule
        values={values}
        onChange={(changes) => form.setValues(changes)}
      />
    </DraftDialogForm>
  )
}
