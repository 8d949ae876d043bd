import type { Output } from '@sortie/client/calls.ts'
import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { call, messageOf, patchCached } from '../../../../api/api.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { isWithin } from '../../../../ui/commands/is-within.ts'
import { registerUnsaved } from '../../../../ui/dialogs/unsaved.ts'
import { toastWithUndo } from '../../../../ui/toasts/toast-with-undo.tsx'
import { toast, toastError } from '../../../../ui/toasts/toast.ts'
import { type CheckOutcome, OUTCOME_LABELS } from '../../labels.tsx'
import { type FormerOutcome, OutcomeQueue, type Unsaved } from './outcome-queue.ts'

/** A pause after which the toast with Undo appears, so that it does not change with every key. */
const PAUSE_MS = 400
/** Steps within this time of each other are one toast, whose Undo takes all of them back. */
const BURST_MS = 3_000
const TYPING = 'input, textarea, select, [contenteditable="true"], [role="dialog"]'

export interface Outcomes {
  unsaved: Unsaved
  set: (checks: readonly { taskId: string; outcome: CheckOutcome }[], outcome: CheckOutcome) => void
  undo: () => void
  redo: () => void
  retry: () => void
  discard: () => void
}

/**
 * Sets outcomes of checks: shown at once, saved in the background, undone by Ctrl+Z and by a toast, repeated by
 * Ctrl+Shift+Z.
 */
export const useOutcomes = (onUndone: (taskIds: readonly string[]) => void): Outcomes => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const [queue] = useState(() => createQueue(id, cache))
  const unsaved = useSyncExternalStore(queue.subscribe, queue.shown)
  const burst = useRef({ at: 0, before: 0, checks: 0, timer: 0 })
  const undone = useRef(onUndone)
  undone.current = onUndone

  /** Undoes the steps after the first so many. */
  const undoTo = (before: number) => {
    window.clearTimeout(burst.current.timer)
    burst.current.at = 0
    let last: readonly string[] = []
    while (queue.shown().steps > before) last = queue.undo()
    if (last.length > 0) undone.current(last)
  }
  const undo = () => undoTo(queue.shown().steps - 1)
  const redo = () => {
    const checks = queue.redo()
    if (checks.length > 0) undone.current(checks)
  }
  const set: Outcomes['set'] = (checks, outcome) => {
    const before = queue.shown().steps
    const count = queue.set(checks, outcome)
    if (count === 0) return
    const { current } = burst
    const now = performance.now()
    if (now - current.at > BURST_MS) Object.assign(current, { before, checks: 0 })
    current.at = now
    current.checks += count
    window.clearTimeout(current.timer)
    current.timer = window.setTimeout(() => {
      const words =
        current.checks === 1 ? `Set to ${OUTCOME_LABELS[outcome].toLowerCase()}.` : `${current.checks} outcomes set.`
      const { before: first } = current
      toastWithUndo(words, () => undoTo(first))
    }, PAUSE_MS)
  }

  const pressed = useRef({ undo, redo })
  pressed.current = { undo, redo }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isKey = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'z'
      const { steps, undone: repeatable } = queue.shown()
      if (!isKey || (event.shiftKey ? repeatable : steps) === 0 || isWithin(event, TYPING)) return
      event.preventDefault()
      pressed.current[event.shiftKey ? 'redo' : 'undo']()
    }
    // Before other listeners: each step is undone by itself, and the toast undoes several.
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [queue])

  const { isSaving } = unsaved
  useEffect(() => {
    if (isSaving) return undefined
    // Reads that were cancelled may have brought what others changed.
    const timer = setTimeout(() => void cache.invalidateQueries({ queryKey: [id, 'getCoverage'] }), BURST_MS)
    return () => clearTimeout(timer)
  }, [isSaving, cache, id])
  const isUnsaved = isSaving || unsaved.failed.size > 0
  useEffect(() => {
    if (!isUnsaved) return undefined
    const hasChanges = () => queue.shown().isSaving || queue.shown().failed.size > 0
    return registerUnsaved({
      hasChanges,
      isSaving: () => queue.shown().failed.size === 0,
      discard: () => queue.discard(),
      element: () => null,
    })
  }, [isUnsaved, queue])

  return { unsaved, set, undo, redo, retry: () => queue.retry(), discard: () => queue.discard() }
}

const createQueue = (organizationId: string, cache: ReturnType<typeof useQueryClient>): OutcomeQueue =>
  new OutcomeQueue({
    set: async (ids, outcome) => {
      const { data } = await call(
        organizationId,
        'bulkUpdateTasks',
        { body: { ids, set: { outcome }, withUndo: true } },
        { retries: 0 },
      )
      return toFormer(data.undo)
    },
    revert: async (items) => {
      const { data } = await call(organizationId, 'revertTasks', { body: { items, withUndo: true } }, { retries: 0 })
      return { skipped: data.skipped, undo: toFormer(data.undo) }
    },
    saved: async (outcomes) => {
      // A read that began before this change would show the former outcome again; an event repeats it.
      void cache.cancelQueries({ queryKey: [organizationId, 'getCoverage'] })
      patchCached(cache, organizationId, 'getCoverage', ({ data }) => ({
        data: {
          ...data,
          cells: data.cells.map((cell) => ({ ...cell, outcome: outcomes.get(cell.taskId) ?? cell.outcome })),
        },
      }))
      for (const taskId of outcomes.keys())
        void cache.invalidateQueries({ queryKey: [organizationId, 'getTask', { params: { taskId } }] })
      // The cache tells the page later; until then the page would show the former outcome.
      await new Promise<void>((resolve) => notifyManager.schedule(resolve))
    },
    left: (count) =>
      toast(
        count === 1
          ? '1 check has changed since and stays as it is.'
          : `${count} checks have changed since and stay as they are.`,
      ),
    undoFailed: (error) => toastError(messageOf(error)),
  })

const toFormer = (undo: Output<'bulkUpdateTasks'>['data']['undo'] = []): FormerOutcome[] =>
  undo.flatMap(({ id, ifUpdatedAt, set: { outcome } }) => (outcome ? [{ id, ifUpdatedAt, set: { outcome } }] : []))
