import { Button } from '@mantine/core'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { isAdmin, useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { IconInfoCircle } from '../../../ui/icons.tsx'
import { useLeaveEngagement } from '../settings/leave-engagement.ts'
import classes from '../workspace/workspace.module.css'

/** Shown on every page of the demonstration engagement; the owner and admins remove it with one button. */
export const DemonstrationBanner = () => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const leave = useLeaveEngagement()
  const [isAsked, setAsked] = useState(false)
  const remove = useApiMutation(organization.id, 'deleteEngagement', {
    invalidates: [
      [organization.id, 'listEngagements'],
      [organization.id, 'listEngagementSummaries'],
    ],
    onSuccess: leave,
  })
  return (
    <div className={classes.archived} role="status">
      <IconInfoCircle size={16} aria-hidden />
      <span>
        Demonstration data: the client, its systems and all results are invented.
        {engagement.status !== 'active' && ' Nothing is sent.'}
      </span>
      {isAdmin(organization) && (
        <Button variant="default" size="compact-xs" onClick={() => setAsked(true)}>
          Remove demonstration
        </Button>
      )}
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => remove.mutate({ params: { engagementId: engagement.id }, body: { name: engagement.name } })}
        title="Remove the demonstration?"
        confirmLabel="Remove demonstration"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        The engagement and everything in it go to the trash, with what you added to it. The owner and admins can restore
        it under Settings, Deleted engagements.
      </ConfirmDialog>
    </div>
  )
}
