import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../../api/api.ts'
import { inParts, sumOf } from '../../../api/in-parts.ts'
import { useSend } from '../../../api/use-send.ts'
import type { Effect } from '../../../domain/verdicts.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useRestore, useRevert } from '../../../shell/undo/use-undo.ts'
import { staleAfterRules } from '../stale.ts'
import { countOfRules, type Selected } from './selected.ts'

/** Changes and deletes selected rules; the toast offers to undo it. */
export const useBulkRules = (selection: Selected, onDone: () => void) => {
  const organization = useOrganization()
  const stale = staleAfterRules(organization.id)
  const sendUpdate = useSend(organization.id, 'bulkUpdateScopeRules', stale)
  const sendDelete = useSend(organization.id, 'bulkDeleteScopeRules', stale)
  const offerRevert = useRevert('revertScopeRules', stale)
  const offerRestore = useRestore('restoreScopeRules', stale)
  const update = useMutation({
    mutationFn: (effect: Effect) =>
      inParts(
        selection,
        async (part) => (await sendUpdate({ body: { ...part, set: { effect }, withUndo: true } })).data,
      ),
    onSuccess: (answers) => {
      onDone()
      const undo = answers.flatMap((answer) => answer.undo ?? [])
      offerRevert(`${countOfRules(sumOf(answers, ({ updated }) => updated))} changed. Targets re-evaluated.`, undo)
    },
  })
  const remove = useMutation({
    mutationFn: () =>
      inParts(selection, async (part) => (await sendDelete({ body: { ...part, withUndo: true } })).data),
    onSuccess: (answers) => {
      onDone()
      const ids = answers.flatMap((answer) => answer.ids ?? [])
      offerRestore(`${countOfRules(sumOf(answers, ({ deleted }) => deleted))} deleted. Targets re-evaluated.`, ids)
    },
  })
  const messageFor = (error: Error | null) => (error ? messageOf(error) : undefined)
  return {
    update: { run: update.mutate, isPending: update.isPending, message: messageFor(update.error) },
    remove: { run: () => remove.mutate(), isPending: remove.isPending, message: messageFor(remove.error) },
  }
}
