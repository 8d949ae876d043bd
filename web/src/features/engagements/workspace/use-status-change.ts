import { messageOf, patchCached, useApiMutation } from '../../../api/api.ts'
import type { EngagementStatus } from '../../../domain/engagement-status.tsx'
import type { Engagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'

/** Changes the status of an engagement optimistically; rolls back if the server refuses. */
export const useStatusChange = () => {
  const organization = useOrganization()
  const change = useApiMutation(organization.id, 'updateEngagement', {
    invalidates: [
      [organization.id, 'getEngagement'],
      [organization.id, 'listEngagements'],
      [organization.id, 'listEngagementActivity'],
    ],
    optimistic: (cache, { params, body }) =>
      patchCached(cache, organization.id, 'getEngagement', (output) =>
        output.data.id === params.engagementId
          ? { data: { ...output.data, status: body?.status ?? output.data.status } }
          : output,
      ),
    onError: (error) => toastError(messageOf(error)),
  })
  return {
    isPending: change.isPending,
    to: ({ id }: Engagement, status: EngagementStatus) =>
      change.mutate({ params: { engagementId: id }, body: { status } }),
  }
}
