import { useRef } from 'react'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import type { ApiKey } from './api-key.ts'

export const DeleteKeyDialog = ({ apiKey, onClose }: { apiKey: ApiKey | undefined; onClose: () => void }) => {
  const organization = useOrganization()
  const last = useRef(apiKey)
  if (apiKey) last.current = apiKey
  const shown = last.current
  const remove = useApiMutation(organization.id, 'deleteApiKey', {
    invalidates: [[organization.id, 'listApiKeys']],
    onSuccess: () => {
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened={apiKey !== undefined}
      onClose={onClose}
      onConfirm={() => shown && remove.mutate({ params: { keyId: shown.id } })}
      title={`Delete ${shown?.name ?? ''}?`}
      confirmLabel="Delete key"
      {...(shown && { typeToConfirm: shown.name })}
      loading={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
    >
      Requests with this key are refused from now on. This can't be undone. Last used:{' '}
      <TimeAgo iso={shown?.lastUsedAt ?? null} />.
    </ConfirmDialog>
  )
}
