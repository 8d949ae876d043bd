import type { Input } from '@sortie/client/calls.ts'
import { startTransition, useOptimistic } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import { type Entry, staleReads } from '../entries.tsx'

type Body = NonNullable<Input<'updateLibraryEntry'>['body']>

/** Changes an entry property by property; optimistic, rolls back if the server refuses. */
export const useSetEntry = (stored: Entry) => {
  const { id } = useOrganization()
  const update = useApiMutation(id, 'updateLibraryEntry', {
    invalidates: staleReads(id),
    inOrder: `library-entry/${stored.id}`,
    onError: (error) => toastError(messageOf(error)),
  })
  const [entry, show] = useOptimistic(stored, (before, change: Partial<Entry>) => ({ ...before, ...change }))
  /** @param change what to show, if it differs from the body */
  const set = (body: Body, change: Partial<Entry> = body as Partial<Entry>) =>
    startTransition(async () => {
      show(change)
      await update.mutateAsync({ params: { entryId: stored.id }, body }).catch(() => undefined)
    })
  return { entry, set }
}
