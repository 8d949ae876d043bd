import type { Input, Output } from '@sortie/client/calls.ts'
import { messageOf, type Tenant, type WebCall } from '../../api/api.ts'
import { partsOf, sumOf } from '../../api/in-parts.ts'
import { useSend } from '../../api/use-send.ts'
import { toastWithUndo } from '../../ui/toasts/toast-with-undo.tsx'
import { toast, toastError } from '../../ui/toasts/toast.ts'
import { useOrganization } from '../context/organization.tsx'

type Revert = 'revertTasks' | 'revertResults' | 'revertTargets' | 'revertScopeRules' | 'revertFindings'
type Restore = 'restoreTasks' | 'restoreResults' | 'restoreTargets' | 'restoreScopeRules'
type Former<N extends Revert> = Input<N> extends { body: { items: (infer I)[] } } ? I : never
type Stale = readonly (readonly [Tenant, WebCall])[]

interface Undone {
  done: number
  skipped: number
}

/**
 * Offers to undo a bulk change that was sent with `withUndo`.
 * @param stale reads that become stale
 * @returns shows a toast; `former` are the rows that the change answered, and without any there is nothing to undo
 */
export const useRevert = <N extends Revert>(name: N, stale: Stale) => {
  const send = useSend(useOrganization().id, name, stale)
  return (message: string, former: readonly Former<N>[]): void =>
    offer(message, former, async (items) => {
      const { data } = (await send({ body: { items } } as unknown as Input<N>)) as Output<'revertTasks'>
      return { done: data.updated, skipped: data.skipped }
    })
}

/**
 * Offers to restore deleted objects from the trash.
 * @param stale reads that become stale
 * @returns shows a toast; `ids` are those of the deleted objects
 */
export const useRestore = (name: Restore, stale: Stale) => {
  const send = useSend(useOrganization().id, name, stale)
  return (message: string, ids: readonly string[]): void =>
    offer(message, ids, async (part) => {
      const { data } = await send({ body: { ids: part } })
      return { done: data.restored, skipped: data.skipped }
    })
}

/**
 * Offers to delete created objects again.
 * @param stale reads that become stale
 * @returns shows a toast; `ids` are those of the created objects, and `onUndo` is called before they are deleted
 */
export const useRemoveCreated = (name: 'bulkDeleteTargets', stale: Stale) => {
  const send = useSend(useOrganization().id, name, stale)
  return (message: string, ids: readonly string[], onUndo: () => void): void => {
    if (ids.length === 0) return
    offer(message, ids, async (part) => {
      onUndo()
      const { data } = await send({ body: { ids: part } })
      return { done: data.deleted, skipped: part.length - data.deleted }
    })
  }
}

const offer = <T>(message: string, rows: readonly T[], undo: (part: T[]) => Promise<Undone>): void => {
  if (rows.length === 0) return toast(message)
  return toastWithUndo(message, () => void undoAll(rows, undo))
}

/** The parts one after another, so that the server locks few rows at a time. */
const undoAll = async <T>(rows: readonly T[], undo: (part: T[]) => Promise<Undone>): Promise<void> => {
  const answers: Undone[] = []
  try {
    for (const part of partsOf(rows)) answers.push(await undo(part))
  } catch (error) {
    return toastError(
      `${answers.length === 0 ? 'This was not undone.' : 'Not everything was undone.'} ${messageOf(error)}`,
    )
  }
  return toast(
    summaryOf({ done: sumOf(answers, ({ done }) => done), skipped: sumOf(answers, ({ skipped }) => skipped) }),
  )
}

const summaryOf = ({ done, skipped }: Undone): string => {
  if (skipped === 0) return 'Undone.'
  const rows = `${skipped.toLocaleString('en')} ${skipped === 1 ? 'row' : 'rows'}`
  return done === 0 ? `Nothing was undone: ${rows} changed since.` : `Undone, except ${rows} changed since.`
}
