import type { Input } from '@sortie/client/calls.ts'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { staleFindingReads } from '../../domain/finding-words.tsx'
import { useOrganization } from '../../shell/context/organization.tsx'
import { useRevert } from '../../shell/undo/use-undo.ts'
import { toastError } from '../../ui/toasts/toast.ts'

type Body = Input<'bulkUpdateFindings'>['body']
export type FindingChange = Body['set']
export type FindingSelection = Omit<Body, 'set' | 'withUndo'>

/** `1 finding`, `12 findings` */
export const countOfFindings = (count: number): string =>
  count === 1 ? '1 finding' : `${count.toLocaleString('en')} findings`

/** Offers to undo a change of many findings. */
export const useRevertFindings = () => {
  const { id } = useOrganization()
  return useRevert('revertFindings', staleFindingReads(id))
}

/**
 * Changes findings alike; one refusal changes none of them, and is shown with its reason. @param onDone called after a
 * change
 */
export const useFindingChange = (selection: FindingSelection, onDone: () => void = () => undefined) => {
  const organization = useOrganization()
  const offerRevert = useRevertFindings()
  const change = useApiMutation(organization.id, 'bulkUpdateFindings', {
    invalidates: staleFindingReads(organization.id),
    onSuccess: ({ data: { updated, undo = [] } }) => {
      offerRevert(`${countOfFindings(updated)} changed.`, undo)
      onDone()
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return {
    isPending: change.isPending,
    set: (set: FindingChange) => change.mutate({ body: { ...selection, set, withUndo: true } }),
  }
}
