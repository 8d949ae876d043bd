import { messageOf, useApiMutation } from '../../../api/api.ts'
import type { ScopeRule } from '../../../domain/verdicts.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useRestore } from '../../../shell/undo/use-undo.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { staleAfterRules } from '../stale.ts'

interface DeleteRuleDialogProps {
  rule: ScopeRule
  onClose: () => void
  onDeleted: () => void
}

/** Confirms first: deleting a rule changes what is in scope. */
export const DeleteRuleDialog = ({ rule, onClose, onDeleted }: DeleteRuleDialogProps) => {
  const organization = useOrganization()
  const offerRestore = useRestore('restoreScopeRules', staleAfterRules(organization.id))
  const remove = useApiMutation(organization.id, 'deleteScopeRule', {
    invalidates: staleAfterRules(organization.id),
    onSuccess: () => {
      offerRestore(`Deleted the rule for ${rule.pattern}. Targets re-evaluated.`, [rule.id])
      onDeleted()
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => remove.mutate({ params: { scopeRuleId: rule.id } })}
      title={`Delete the rule for ${rule.pattern}?`}
      confirmLabel="Delete rule"
      loading={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
    >
      Targets are re-evaluated without it: targets in scope may become out of scope, and vice versa.
    </ConfirmDialog>
  )
}
