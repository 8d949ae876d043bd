import type { Input } from '@sortie/client/calls.ts'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { SEVERITY_LABELS } from '../../../domain/vulnerability-words.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { SEVERITY_KEYS } from '../../../shell/fields/rating/SeverityChoices.tsx'
import { useRestore, useRevert } from '../../../shell/undo/use-undo.ts'
import { type Command, useShortcuts } from '../../../ui/commands/commands.ts'
import { IconTag } from '../../../ui/page-icons.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import type { Severity, Status } from '../labels.ts'

export type BulkChange = Input<'bulkUpdateResults'>['body']['set']
export type BulkSelection = Omit<Input<'bulkUpdateResults'>['body'], 'set'>

/** Reads that become stale when results change. */
export const CHANGED_READS = [
  'listResults',
  'countResults',
  'getResult',
  'listObservations',
  'getResultSummary',
] as const

/** The letter that chooses it in the status menu. */
export const STATUS_KEYS: Record<Status, string> = {
  open: 'O',
  confirmed: 'C',
  false_positive: 'F',
  accepted: 'A',
  fixed: 'D',
}

const changedReads = (organizationId: string) => CHANGED_READS.map((name) => [organizationId, name] as const)

/** Offers to undo a change of many results. */
export const useRevertResults = () => useRevert('revertResults', changedReads(useOrganization().id))

/** Offers to restore deleted results. */
export const useRestoreResults = () => useRestore('restoreResults', changedReads(useOrganization().id))

/**
 * Changes the selected results immediately, and reports how many in a toast that offers to undo it. @param onDone
 * called afterwards
 */
export const useBulkChange = (selection: BulkSelection, onDone: () => void = () => undefined) => {
  const organization = useOrganization()
  const offerRevert = useRevertResults()
  const change = useApiMutation(organization.id, 'bulkUpdateResults', {
    invalidates: changedReads(organization.id),
    onSuccess: ({ data: { updated, undo = [] } }) => {
      offerRevert(updated === 1 ? '1 result changed.' : `${updated.toLocaleString('en')} results changed.`, undo)
      onDone()
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return {
    isPending: change.isPending,
    set: (set: BulkChange) => change.mutate({ body: { ...selection, set, withUndo: true } }),
  }
}

/** Severity without a menu: 1 to 5. */
export const useSeverityKeys = (set: (change: BulkChange) => void, isEnabled: boolean): void => {
  const severities = (Object.keys(SEVERITY_KEYS) as Severity[]).map((severity): Command => ({
    id: `severity-${severity}`,
    label: `Severity: ${SEVERITY_LABELS[severity]}`,
    group: 'Triage',
    icon: IconTag,
    shortcut: SEVERITY_KEYS[severity],
    run: () => set({ severity }),
  }))
  useShortcuts(isEnabled ? severities : [])
}
