import { useNavigate } from '@tanstack/react-router'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { toastWithUndo } from '../../ui/toasts/toast-with-undo.tsx'
import { toast, toastError } from '../../ui/toasts/toast.ts'
import { type ApiRequest, type RequestFolder, staleRequests, usePlace } from './place.tsx'

const onError = (error: Error) => toastError(messageOf(error))
const onRestored = ({ data: { name } }: { data: { name: string } }) => toast(`${name} restored.`)

/** @returns deletes the request and leaves its page; the toast restores it */
export const useDeleteRequest = ({ id, name }: ApiRequest) => {
  const { organizationId, home } = usePlace()
  const navigate = useNavigate()
  const params = { requestId: id }
  const restore = useApiMutation(organizationId, 'restoreApiRequest', {
    invalidates: staleRequests(organizationId),
    onSuccess: onRestored,
    onError,
  })
  const remove = useApiMutation(organizationId, 'deleteApiRequest', {
    invalidates: [[organizationId, 'listApiRequests']],
    onSuccess: () => {
      toastWithUndo(`${name} deleted.`, () => restore.mutate({ params }))
      void navigate({ to: home })
    },
    onError,
  })
  return () => remove.mutate({ params })
}

/** @returns deletes the folder with its content and leaves its page; the toast restores all of it */
export const useDeleteFolder = ({ id, name }: RequestFolder) => {
  const { organizationId, home } = usePlace()
  const navigate = useNavigate()
  const params = { folderId: id }
  const restore = useApiMutation(organizationId, 'restoreRequestFolder', {
    invalidates: staleRequests(organizationId),
    onSuccess: onRestored,
    onError,
  })
  const remove = useApiMutation(organizationId, 'deleteRequestFolder', {
    invalidates: [
      [organizationId, 'listRequestFolders'],
      [organizationId, 'listApiRequests'],
    ],
    onSuccess: () => {
      toastWithUndo(`${name} deleted.`, () => restore.mutate({ params }))
      void navigate({ to: home })
    },
    onError,
  })
  return () => remove.mutate({ params })
}
