import type { Input } from '@sortie/client/calls.ts'
import { startTransition, useOptimistic } from 'react'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { staleFindingReads } from '../../domain/finding-words.tsx'
import { useOrganization } from '../../shell/context/organization.tsx'
import { toast, toastError } from '../../ui/toasts/toast.ts'
import type { Finding } from './labels.ts'

type Body = NonNullable<Input<'updateFinding'>['body']>

/** Reports that a change made a new review necessary. */
export const reportReturn = ({ returnedToReview }: { returnedToReview: boolean }): void => {
  if (returnedToReview) toast('The finding was approved: it is in review again.')
}

/**
 * Changes a finding field by field; optimistic, rolls back if the server refuses.
 * @returns the finding to show, and `set`; its argument `change` is what to show if that differs from the request body
 */
export const useSetFinding = (stored: Finding) => {
  const organization = useOrganization()
  const update = useApiMutation(organization.id, 'updateFinding', {
    invalidates: staleFindingReads(organization.id),
    inOrder: `finding/${stored.id}`,
    onSuccess: ({ meta }) => reportReturn(meta),
    onError: (error) => toastError(messageOf(error)),
  })
  const [finding, show] = useOptimistic(stored, (before, change: Partial<Finding>) => ({ ...before, ...change }))
  const set = (body: Body, change: Partial<Finding> = body as Partial<Finding>) =>
    startTransition(async () => {
      show(change)
      await update.mutateAsync({ params: { findingId: stored.id }, body }).catch(() => undefined)
    })
  return { finding, set }
}
