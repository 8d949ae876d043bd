import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf, useApiMutation } from '../../../api/api.ts'
import { staleFindingReads } from '../../../domain/finding-words.tsx'
import { isAdmin, useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { toast, toastError } from '../../../ui/toasts/toast.ts'
import { countOfFindings } from '../use-finding-change.ts'

interface RestoreButtonProps {
  ids: readonly string[]
  onDone: () => void
}

/** Restores findings from the trash, one after another. */
export const RestoreButton = ({ ids, onDone }: RestoreButtonProps) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const restore = useMutation({
    mutationFn: async () => {
      for (const findingId of ids)
        await call(organization.id, 'restoreFinding', { params: { findingId } }, { retries: 0 })
    },
    onSuccess: () => {
      toast(`${countOfFindings(ids.length)} restored.`)
      onDone()
    },
    onError: (error) => toastError(messageOf(error)),
    onSettled: () =>
      Promise.all(staleFindingReads(organization.id).map((queryKey) => cache.invalidateQueries({ queryKey }))),
  })
  return (
    <Button size="compact-sm" variant="default" loading={restore.isPending} onClick={() => restore.mutate()}>
      Restore
    </Button>
  )
}

interface DeleteForeverProps {
  finding: { id: string; title: string }
  onDone: () => void
}

/** For the owner and admins. */
export const DeleteForever = ({ finding, onDone }: DeleteForeverProps) => {
  const organization = useOrganization()
  const [isAsking, setAsking] = useState(false)
  const remove = useApiMutation(organization.id, 'deleteFinding', {
    invalidates: staleFindingReads(organization.id),
    onSuccess: () => {
      setAsking(false)
      onDone()
    },
  })
  if (!isAdmin(organization)) return null
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
        Delete forever
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate({ params: { findingId: finding.id }, query: { forever: true } })}
        title={`Delete ${finding.title} forever?`}
        confirmLabel="Delete forever"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        Deletes its texts, history, assets and files, for everyone. This can't be undone.
      </ConfirmDialog>
    </>
  )
}
