import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { query, useApiMutation } from '../../../api/api.ts'

/** Marks notifications about a task as read while the task is open, including new ones. */
export const useReadNotices = (organizationId: string, taskId: string): void => {
  const { data } = useQuery(query(organizationId, 'listNotices', { query: { unread: true, perPage: 1 } }))
  const unread = data?.meta.total ?? 0
  const { mutate } = useApiMutation(organizationId, 'readNotices', { invalidates: [[organizationId, 'listNotices']] })
  useEffect(() => {
    if (unread > 0) mutate({ body: { taskId } })
  }, [unread, mutate, taskId])
}
