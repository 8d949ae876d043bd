import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { Section } from '../../../ui/page/Page.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { ENGAGEMENT_LISTS } from './engagement-lists.ts'
import { useLeaveEngagement } from './leave-engagement.ts'

/** For the owner and admins. Moves the engagement and everything in it to the trash. */
export const DeleteSection = () => {
  const organization = useOrganization()
  const leave = useLeaveEngagement()
  const { engagement, details } = useEngagement()
  const [asking, setAsking] = useState(false)
  const trash = useQuery(query(organization.id, 'listTrashedEngagements', { query: { perPage: 1 } }))
  const days = trash.data?.meta.days
  const lifetime = days === undefined ? 'a while' : days === 1 ? '1 day' : `${days} days`
  const remove = useApiMutation(organization.id, 'deleteEngagement', {
    invalidates: ENGAGEMENT_LISTS.map((name) => [organization.id, name]),
    onSuccess: async () => {
      await leave()
      toast(`Moved ${engagement.name} to the trash.`)
    },
  })
  if (details.hold !== null) {
    return <Section title="Delete" description="It is on legal hold and cannot be deleted. Release the hold first." />
  }
  return (
    <Section
      title="Delete"
      description={`Moves the engagement and everything in it to the trash. The owner and admins can restore it for ${lifetime}.`}
      actions={
        <Button color="red" variant="outline" onClick={() => setAsking(true)}>
          Delete the engagement
        </Button>
      }
    >
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate({ params: { engagementId: engagement.id }, body: { name: engagement.name } })}
        title={`Delete ${engagement.name}?`}
        confirmLabel="Delete engagement"
        typeToConfirm={engagement.name}
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        Its targets, results, findings, reports, tasks, pages and files disappear for everyone immediately. Running
        scans stop, and scan schedules are disabled. The owner and admins can restore it for {lifetime}, under Settings,
        Deleted engagements. Then it is deleted for good.
      </ConfirmDialog>
    </Section>
  )
}
