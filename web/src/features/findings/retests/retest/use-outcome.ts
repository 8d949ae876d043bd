import type { Output } from '@sortie/client/calls.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { messageOf, useApiMutation } from '../../../../api/api.ts'
import { staleFindingReads } from '../../../../domain/finding-words.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { toastWithUndo } from '../../../../ui/toasts/toast-with-undo.tsx'
import { toastError } from '../../../../ui/toasts/toast.ts'
import { OUTCOME_LABELS, type RetestItem } from '../retest-words.tsx'

const STALE = ['listRetests', 'getRetest'] as const

/** Writes of one retest are sent one after another, so that it is not finished before a note is saved. */
export const writesOf = (retestId: string): string => `retest/${retestId}`

/**
 * Sets the outcome of an item. It shows at once; a refused one is undone with the reason. Its toast, or Ctrl+Z, undoes
 * it.
 * @param onReturn called before an outcome is undone
 */
export const useOutcome = (item: RetestItem, onReturn: () => void) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const params = { retestId: item.retestId, itemId: item.id }
  const update = useApiMutation(organization.id, 'updateRetestItem', {
    inOrder: writesOf(item.retestId),
    onError: (error) => {
      showItem(cache, organization.id, item)
      toastError(messageOf(error))
    },
    onSuccess: ({ data }) => {
      showItem(cache, organization.id, data)
      // Not awaited: the next write need not wait for these reads.
      for (const queryKey of [
        ...STALE.map((name) => [organization.id, name] as const),
        ...staleFindingReads(organization.id),
      ])
        void cache.invalidateQueries({ queryKey })
    },
  })
  const set = (outcome: RetestItem['outcome']) => {
    if (outcome === item.outcome) return
    showItem(cache, organization.id, { ...item, outcome })
    update.mutate(
      { params, body: { outcome } },
      {
        onSuccess: ({ data }) => {
          const label = outcome === null ? 'No outcome' : OUTCOME_LABELS[outcome]
          toastWithUndo(`${label}: ${item.asset ?? item.finding.title}`, () => {
            onReturn()
            update.mutate({ params, body: { outcome: item.outcome, ifUpdatedAt: data.updatedAt } })
          })
        },
      },
    )
  }
  const setNote = (note: string) => update.mutate({ params, body: { note } })
  return { set, setNote }
}

/** Replaces an item in every list that is shown: reading a long list again after each key would be slow. */
const showItem = (cache: QueryClient, organizationId: string, item: RetestItem): void => {
  cache.setQueriesData<{ pages: Output<'listRetestItems'>[] }>(
    { queryKey: [organizationId, 'listRetestItems'] },
    (list) =>
      list?.pages
        ? {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              data: page.data.map((shown) => (shown.id === item.id ? item : shown)),
            })),
          }
        : list,
  )
}
