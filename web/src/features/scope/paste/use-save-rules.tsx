import type { Output } from '@sortie/client/calls.ts'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../../api/api.ts'
import { inParts } from '../../../api/in-parts.ts'
import { useSend } from '../../../api/use-send.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { toastWithUndo } from '../../../ui/toasts/toast-with-undo.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { countOfRules } from '../bulk/selected.ts'
import { staleAfterRules } from '../stale.ts'
import type { ChosenRule } from './preview.ts'

type Saved = Output<'createScopeRules'>['data']

/** Saves confirmed rules in one transaction, and offers to undo all of it. @param onSaved called afterwards */
export const useSaveRules = (engagementId: string, onSaved: () => void) => {
  const organization = useOrganization()
  const stale = staleAfterRules(organization.id)
  const create = useSend(organization.id, 'createScopeRules', stale)
  const remove = useSend(organization.id, 'bulkDeleteScopeRules', stale)
  /** Restores the earlier rules first, so that nothing is lost if the second step fails. */
  const undoRules = async (rules: readonly ChosenRule[], { lines }: Saved) => {
    const of = (outcome: Saved['lines'][number]['outcome']) => lines.filter((line) => line.outcome === outcome)
    const before = of('changed').flatMap(({ line }) => {
      const rule = rules[line - 1]
      return rule?.replaces ? [{ pattern: rule.pattern, effect: rule.replaces, replaces: rule.effect }] : []
    })
    if (before.length > 0) await create({ body: { engagementId, rules: before } })
    const ids = of('created').flatMap(({ scopeRuleId }) => scopeRuleId ?? [])
    if (ids.length > 0) await inParts({ ids }, (part) => remove({ body: part }))
  }
  const undo = useMutation({
    mutationFn: ({ rules, saved }: { rules: readonly ChosenRule[]; saved: Saved }) => undoRules(rules, saved),
    onSuccess: () => toast('Scope restored.'),
    onError: (error) => toast(`Not everything was undone. ${messageOf(error)}`),
  })
  const mutation = useMutation({
    mutationFn: (rules: readonly ChosenRule[]) => create({ body: { engagementId, rules: [...rules] } }),
    onSuccess: ({ data }, rules) => {
      onSaved()
      const changed = data.changed > 0 ? `, ${data.changed} changed` : ''
      toastWithUndo(`${countOfRules(data.created)} added${changed}. Targets re-evaluated.`, () =>
        undo.mutate({ rules, saved: data }),
      )
    },
  })
  return {
    save: mutation.mutate,
    isSaving: mutation.isPending,
    message: mutation.error ? messageOf(mutation.error) : undefined,
  }
}
