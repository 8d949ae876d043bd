import type { Input } from '@sortie/client/calls.ts'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { SEVERITY_LABELS, STATUS_LABELS } from '../../../domain/vulnerability-words.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { type Command, useShortcuts } from '../../../ui/commands/commands.ts'
import { toast, toastError } from '../../../ui/feedback/toast.ts'
import { IconFlag, IconTag } from '../../../ui/icons.tsx'
import type { Severity, Status } from '../labels.ts'

export type BulkChange = Input<'updateResults'>['body']['set']
export type BulkSelection = Omit<Input<'updateResults'>['body'], 'set'>

/** Reads that become stale when results change. */
export const CHANGED_READS = [
  'listResults',
  'countResults',
  'getResult',
  'listObservations',
  'getResultSummary',
] as const

const STATUS_KEYS: Record<Status, string> = {
  open: 's o',
  confirmed: 's c',
  false_positive: 's f',
  accepted: 's a',
  fixed: 's d',
}
const SEVERITY_KEYS: Record<Severity, string> = { info: '1', low: '2', medium: '3', high: '4', critical: '5' }

/** Changes the selected results immediately, and reports how many in a toast. @param onDone called afterwards */
export const useBulkChange = (selection: BulkSelection, onDone: () => void = () => undefined) => {
  const organization = useOrganization()
  const change = useApiMutation(organization.id, 'updateResults', {
    invalidates: CHANGED_READS.map((name) => [organization.id, name] as const),
    onSuccess: ({ data: { updated } }) => {
      toast(updated === 1 ? '1 result changed.' : `${updated.toLocaleString('en')} results changed.`)
      onDone()
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return { isPending: change.isPending, set: (set: BulkChange) => change.mutate({ body: { ...selection, set } }) }
}

/** Triage keys: S and a letter set the status, 1 to 5 the severity. */
export const useTriageKeys = (set: (change: BulkChange) => void, isEnabled: boolean): void => {
  const statuses = (Object.keys(STATUS_KEYS) as Status[]).map((status): Command => ({
    id: `status-${status}`,
    label: `Status: ${STATUS_LABELS[status]}`,
    group: 'Triage',
    icon: IconFlag,
    shortcut: STATUS_KEYS[status],
    run: () => set({ status }),
  }))
  const severities = (Object.keys(SEVERITY_KEYS) as Severity[]).map((severity): Command => ({
    id: `severity-${severity}`,
    label: `Severity: ${SEVERITY_LABELS[severity]}`,
    group: 'Triage',
    icon: IconTag,
    shortcut: SEVERITY_KEYS[severity],
    run: () => set({ severity }),
  }))
  useShortcuts(isEnabled ? [...statuses, ...severities] : [])
}
