import { messageOf, useApiMutation } from '../../api.ts'
import { useOrganization } from '../../shell/organization.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import type { ScopeRule } from '../../ui/verdicts.tsx'
import { staleAfterRules } from './stale.ts'

interface DeleteRuleDialogProps {
  rule: ScopeRule
  onClose: () => void
  onDeleted: () => void
}

/** Confirms first: deleting a rule changes what is in scope. */
export const DeleteRuleDialog = ({ rule, onClose, onDeleted }: DeleteRuleDialogProps) => {
  const organization = useOrganization()
  const remove = useApiMutation(organization.id, 'deleteScopeRule', {
    invalidates: staleAfterRules(organization.id),
    onSuccess: () => {
      toast(`Deleted the rule for ${rule.pattern}. Targets re-evaluated.`)
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
