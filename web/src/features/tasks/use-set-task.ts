import type { Input } from '@sortie/client/calls.ts'
import { startTransition, useOptimistic } from 'react'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { toastError } from '../../ui/toasts/toast.ts'
import { staleReads, type Task } from './labels.tsx'

type Body = Input<'updateTask'>['body']

/**
 * Changes a task field by field; optimistic, rolls back if the server refuses.
 * @returns the task to show, and `set`; its argument `change` is what to show if that differs from the request body
 */
export const useSetTask = (stored: Task) => {
  const organization = useOrganization()
  const update = useApiMutation(organization.id, 'updateTask', {
    invalidates: staleReads(organization.id),
    inOrder: `task/${stored.id}`,
    onError: (error) => toastError(messageOf(error)),
  })
  const [task, show] = useOptimistic(stored, (before, change: Partial<Task>) => ({ ...before, ...change }))
  const set = (body: Body, change: Partial<Task> = body as Partial<Task>) =>
    startTransition(async () => {
      show(change)
      await update.mutateAsync({ params: { taskId: stored.id }, body } as Input<'updateTask'>).catch(() => undefined)
    })
  return { task, set }
}
