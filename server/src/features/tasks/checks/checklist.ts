import type { Clock } from '../../../platform/clock.ts'
import { invalid } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import type { ChecklistItem } from '../tasks.queries.ts'

/** A checklist item in a request. */
export interface WantedItem {
  id?: string | undefined
  text: string
  done?: boolean | undefined
}

/**
 * Replaces a checklist: items with an id of the old one keep it, all others get a new one.
 *
 * @throws ApiError VALIDATION_ERROR for a duplicate id
 */
export const replaceChecklist = (
  old: readonly ChecklistItem[],
  wanted: readonly WantedItem[],
  clock: Clock,
): ChecklistItem[] => {
  const known = new Map(old.map((item) => [item.id, item]))
  const used = new Set<string>()
  return wanted.map(({ id, text, done }, index) => {
    if (id !== undefined && used.has(id)) throw invalid(`checklist.${index}.id: must not occur twice`)
    if (id !== undefined) used.add(id)
    const item = id === undefined ? undefined : known.get(id)
    return { id: item?.id ?? newId('chk', clock.now()), text, done: done ?? item?.done ?? false }
  })
}
