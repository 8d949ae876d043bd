import type { Input } from '@sortie/client/calls.ts'
import { useQueryClient } from '@tanstack/react-query'
import { isRefused, query, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { staleReads, type Task } from '../labels.tsx'

const MAX_ATTEMPTS = 3

/** Changes a list of a task based on its current state: on a conflict, rereads the task and repeats the change. */
export const useChangeLatest = (taskId: string) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const params = { taskId }
  const update = useApiMutation(id, 'updateTask', { invalidates: staleReads(id) })
  /** @throws what `call` throws */
  const change = async (bodyOf: (task: Task) => Input<'updateTask'>['body']): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const { data } = await cache.fetchQuery(query(id, 'getTask', { params }))
      try {
        await update.mutateAsync({ params, body: { ...bodyOf(data), ifUpdatedAt: data.updatedAt } })
        return
      } catch (error) {
        if (!isRefused(error, 'CONFLICT') || attempt === MAX_ATTEMPTS) throw error
      }
    }
  }
  return { change, isPending: update.isPending }
}
