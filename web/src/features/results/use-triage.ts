import type { Input } from '@sortie/client/calls.ts'
import { messageOf, useCommand } from '../../api.ts'
import { useOrganization } from '../../shell/organization.tsx'
import { type Command, useCommands } from '../../ui/commands.ts'
import { IconFlag, IconTag } from '../../ui/icons.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import { SEVERITY_LABELS, STATUS_LABELS } from '../../ui/vulnerability-words.ts'
import type { Severity, Status } from './words.ts'

export type BulkChange = Input<'updateResults'>['body']['set']
export type BulkSelection = Omit<Input<'updateResults'>['body'], 'set'>

/** Reads that are stale once results were changed. */
export const CHANGED_READS = ['listResults', 'countResults', 'getResult', 'listObservations', 'getResultSummary'] as const

const STATUS_KEYS: Record<Status, string> = { open: 's o', confirmed: 's c', false_positive: 's f', accepted: 's a', fixed: 's d' }
const SEVERITY_KEYS: Record<Severity, string> = { info: '1', low: '2', medium: '3', high: '4', critical: '5' }

/** Changes results at once, and says how many. @param onDone after it */
export const useBulkChange = (selection: BulkSelection, onDone: () => void = () => undefined) => {
  const organization = useOrganization()
  const change = useCommand(organization.id, 'updateResults', {
    invalidates: CHANGED_READS.map((name) => [organization.id, name] as const),
    onSuccess: ({ data: { updated } }) => {
      toast(updated === 1 ? '1 result was changed.' : `${updated.toLocaleString('en')} results were changed.`)
      onDone()
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return { isPending: change.isPending, set: (set: BulkChange) => change.mutate({ body: { ...selection, set } }) }
}

/** The keys of triage: S and a letter set the status, 1 to 5 the severity. */
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
  useCommands(isEnabled ? [...statuses, ...severities] : [])
}
