import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import { type Item, type Methodology, staleReads } from '../reads.ts'

/** Moves and deletes items. Refused with the reason if another user has changed the methodology since. */
export const useChangeItems = ({ id: methodologyId, items, updatedAt }: Methodology) => {
  const { id } = useOrganization()
  const update = useApiMutation(id, 'updateMethodology', {
    invalidates: staleReads(id),
    onError: (error) => toastError(messageOf(error)),
  })
  const write = (changed: readonly Item[]) =>
    update.mutate({ params: { methodologyId }, body: { items: [...changed], ifUpdatedAt: updatedAt } })
  return {
    isPending: update.isPending,
    remove: (keys: ReadonlySet<string>) => write(items.filter(({ key }) => !keys.has(key))),
    move: (key: string, by: -1 | 1) => {
      const at = items.findIndex((item) => item.key === key)
      const [moved, other] = [items[at], items[at + by]]
      if (moved && other) write(items.with(at, other).with(at + by, moved))
    },
  }
}
