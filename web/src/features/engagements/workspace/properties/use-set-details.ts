import type { Input } from '@sortie/client/calls.ts'
import { startTransition, useOptimistic } from 'react'
import { messageOf, useApiMutation } from '../../../../api/api.ts'
import { type EngagementDetails, useEngagement } from '../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { toastError } from '../../../../ui/toasts/toast.ts'

type Body = NonNullable<Input<'updateEngagementDetails'>['body']>

/** Reads that a change of details makes stale. */
export const staleDetails = (organizationId: string) =>
  [
    [organizationId, 'getEngagementDetails'],
    [organizationId, 'listEngagementSummaries'],
    [organizationId, 'listClients'],
    [organizationId, 'listEngagementActivity'],
  ] as const

/**
 * Changes the details of the open engagement field by field; optimistic, rolls back if the server refuses.
 * @returns the details to show, and `set`; its argument `change` is what to show if that differs from the request body
 */
export const useSetDetails = () => {
  const organization = useOrganization()
  const { details: stored } = useEngagement()
  const update = useApiMutation(organization.id, 'updateEngagementDetails', {
    invalidates: staleDetails(organization.id),
    inOrder: `engagement-details/${stored.engagementId}`,
    onError: (error) => toastError(messageOf(error)),
  })
  const [details, show] = useOptimistic(stored, (before, change: Partial<EngagementDetails>) => ({
    ...before,
    ...change,
  }))
  const set = (body: Body, change: Partial<EngagementDetails> = body as never) =>
    startTransition(async () => {
      show(change)
      await update.mutateAsync({ params: { engagementId: stored.engagementId }, body }).catch(() => undefined)
    })
  return { details, set }
}
