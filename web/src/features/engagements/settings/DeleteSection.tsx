import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { Section } from '../../../ui/page/Page.tsx'
import { toast } from '../../../ui/toasts/toast.ts'

/** For the owner and admins. Deletes the engagement and everything in it. */
export const DeleteSection = () => {
  const organization = useOrganization()
  const router = useRouter()
  const { engagement } = useEngagement()
  const [asking, setAsking] = useState(false)
  const remove = useApiMutation(organization.id, 'deleteEngagement', {
    invalidates: [
      [organization.id, 'listEngagements'],
      [organization.id, 'listEngagementSummaries'],
    ],
    onSuccess: async () => {
      await router.navigate({ href: paths.engagements(organization.slug), replace: true })
      toast(`Deleted ${engagement.name}.`)
    },
  })
  return (
    <Section
      title="Delete"
      description="Deletes the engagement and everything in it for everyone. This can't be undone."
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
        Its targets, results, tasks, pages and files are deleted immediately, for everyone. This can't be undone.
      </ConfirmDialog>
    </Section>
  )
}
