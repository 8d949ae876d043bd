import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { query, useApiMutation } from '../../api/api.ts'
import { useOrganization } from '../context/organization.tsx'
import type { CommentParent } from './comment-parent.ts'

/** Marks notifications about an object as read while it is open, including new ones. */
export const useReadNotices = ({ type, id }: Pick<CommentParent, 'type' | 'id'>): void => {
  const { id: organizationId } = useOrganization()
  const { data } = useQuery(query(organizationId, 'listNotices', { query: { unread: true, perPage: 1 } }))
  const unread = data?.meta.total ?? 0
  const { mutate } = useApiMutation(organizationId, 'readNotices', { invalidates: [[organizationId, 'listNotices']] })
  useEffect(() => {
    if (unread > 0) mutate({ body: { [`${type}Id`]: id } })
  }, [unread, mutate, type, id])
}
