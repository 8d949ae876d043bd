import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import type { Effect, ScopeRule } from '../../../domain/verdicts.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { toastWithUndo } from '../../../ui/feedback/toast-with-undo.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { staleAfterRules } from '../stale.ts'
import { countOfRules, inParts, type Selected } from './selected.ts'

/**
 * Changes and deletes selected rules. If all of them are loaded, the toast offers to undo it.
 * @param read the loaded rules
 */
export const useBulkRules = (
  engagementId: string,
  selection: Selected,
  read: readonly ScopeRule[],
  onDone: () => void,
) => {
  const organization = useOrganization()
  const stale = staleAfterRules(organization.id)
  const sendUpdate = useSend(organization.id, 'updateScopeRules', stale)
  const sendDelete = useSend(organization.id, 'deleteScopeRules', stale)
  const create = useSend(organization.id, 'createScopeRules', stale)
  const ids = new Set(selection.ids)
  const before = read.filter(({ id }) => ids.has(id))
  const isKnown = before.length > 0 && before.length === ids.size
  const restore = useMutation({
    mutationFn: (rules: Parameters<typeof asBefore>) => create({ body: { engagementId, rules: asBefore(...rules) } }),
    onSuccess: () => toast('Scope restored.'),
    onError: (error) => toast(`This was not undone. ${messageOf(error)}`),
  })
  const tell = (message: string, effect?: Effect) =>
    isKnown ? toastWithUndo(message, () => restore.mutate([before, effect])) : toast(message)
  const update = useMutation({
    mutationFn: (effect: Effect) =>
      inParts(selection, async (part) => (await sendUpdate({ body: { ...part, set: { effect } } })).data.updated),
    onSuccess: (updated, effect) => {
      onDone()
      tell(`${countOfRules(updated)} changed. Targets re-evaluated.`, effect)
    },
  })
  const remove = useMutation({
    mutationFn: () => inParts(selection, async (part) => (await sendDelete({ body: part })).data.deleted),
    onSuccess: (deleted) => {
      onDone()
      tell(`${countOfRules(deleted)} deleted. Targets re-evaluated.`)
    },
  })
  const messageFor = (error: Error | null) => (error ? messageOf(error) : undefined)
  return {
    update: { run: update.mutate, isPending: update.isPending, message: messageFor(update.error) },
    remove: { run: () => remove.mutate(), isPending: remove.isPending, message: messageFor(remove.error) },
  }
}

/** @param replaced their current effect; absent if they were deleted */
const asBefore = (rules: readonly ScopeRule[], replaced?: Effect) =>
  rules
    .filter(({ effect }) => effect !== replaced)
    .map(({ pattern, effect, note }) => ({ pattern, effect, note, ...(replaced && { replaces: replaced }) }))
