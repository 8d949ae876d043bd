import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import type { Schedule } from '../labels.ts'
import { staleAfterSchedules } from '../stale.ts'
import { ScheduleDialog } from './ScheduleDialog.tsx'

/** Enables, disables, edits or deletes a schedule; hidden in an archived engagement. */
export const ScheduleActions = ({ schedule, onGone }: { schedule: Schedule; onGone: () => void }) => {
  const organization = useOrganization()
  const { isArchived } = useEngagement()
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const params = { scheduleId: schedule.id }
  const invalidates = staleAfterSchedules(organization.id)
  const update = useApiMutation(organization.id, 'updateScanSchedule', {
    invalidates,
    onError: (error) => toastError(messageOf(error)),
  })
  const remove = useApiMutation(organization.id, 'deleteScanSchedule', {
    invalidates: [[organization.id, 'listScanSchedules']],
    onSuccess: onGone,
  })
  if (isArchived) return null
  return (
    <Group gap="xs">
      <Button
        variant="default"
        loading={update.isPending}
        onClick={() => update.mutate({ params, body: { enabled: !schedule.enabled } })}
      >
        {schedule.enabled ? 'Turn off' : 'Turn on'}
      </Button>
      <Button variant="default" onClick={() => setAsked('edit')}>
        Edit
      </Button>
      <Button variant="default" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {asked === 'edit' && <ScheduleDialog schedule={schedule} onClose={() => setAsked(undefined)} />}
      <ConfirmDialog
        opened={asked === 'delete'}
        onClose={() => {
          setAsked(undefined)
          remove.reset()
        }}
        onConfirm={() => remove.mutate({ params })}
        title={`Delete ${schedule.name}?`}
        confirmLabel="Delete schedule"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        It starts no more scans. Its earlier scans are kept.
      </ConfirmDialog>
    </Group>
  )
}
