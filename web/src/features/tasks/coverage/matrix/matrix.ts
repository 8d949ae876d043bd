import type { Output } from '@sortie/client/calls.ts'
import { OUTCOMES } from '@sortie/contract/tasks/tasks.ts'
import type { CheckOutcome } from '../../labels.tsx'

export type Coverage = Output<'getCoverage'>['data']
export type Item = Coverage['items'][number]
export type Sums = Coverage['sums']
export interface Check {
  taskId: string
  outcome: CheckOutcome
}

/** A column: a target, or the engagement for items that are checked once. */
export interface Column {
  /** Empty: the engagement. */
  id: string
  label: string
}

export type Row =
  | { kind: 'group'; key: string; name: string; items: readonly Item[]; isFolded: boolean }
  | { kind: 'item'; key: string; item: Item }

/** Checks by item and column, with outcomes that are not saved yet. */
export interface Matrix {
  columns: readonly Column[]
  checkAt: (itemKey: string, columnId: string) => Check | undefined
  sums: Sums
  sumsOfItem: (itemKey: string) => Sums
  sumsOfColumn: (columnId: string) => Sums
  /** Outcomes of a group in a column. */
  sumsOfGroup: (items: readonly Item[], columnId: string) => Sums
}

const noSums = (): Sums => ({ untested: 0, pass: 0, fail: 0, not_applicable: 0 })
const NONE = noSums()
const placeOf = (itemKey: string, columnId: string) => `${itemKey}\n${columnId}`

export const matrixOf = (
  { cells, targets }: Pick<Coverage, 'cells' | 'targets'>,
  unsaved: ReadonlyMap<string, CheckOutcome>,
): Matrix => {
  const sums = noSums()
  const byItem = new Map<string, Sums>()
  const byColumn = new Map<string, Sums>()
  const checks = new Map<string, Check>()
  const add = (all: Map<string, Sums>, key: string, outcome: CheckOutcome) => {
    const own = all.get(key) ?? noSums()
    own[outcome] += 1
    all.set(key, own)
  }
  for (const { itemKey, targetId, taskId, outcome: saved } of cells) {
    const outcome = unsaved.get(taskId) ?? saved
    sums[outcome] += 1
    add(byItem, itemKey, outcome)
    add(byColumn, targetId ?? '', outcome)
    checks.set(placeOf(itemKey, targetId ?? ''), { taskId, outcome })
  }
  const checkAt = (itemKey: string, columnId: string) => checks.get(placeOf(itemKey, columnId))
  return {
    columns: [
      ...(byColumn.has('') ? [{ id: '', label: 'Engagement' }] : []),
      ...targets.map(({ id, value }) => ({ id, label: value ?? id })),
    ],
    checkAt,
    sums,
    sumsOfItem: (itemKey) => byItem.get(itemKey) ?? NONE,
    sumsOfColumn: (columnId) => byColumn.get(columnId) ?? NONE,
    sumsOfGroup: (items, columnId) => {
      const own = noSums()
      for (const { key } of items) {
        const check = checkAt(key, columnId)
        if (check) own[check.outcome] += 1
      }
      return own
    },
  }
}

export const totalOf = (sums: Sums): number => OUTCOMES.reduce((total, outcome) => total + sums[outcome], 0)

/**
 * Rows in the order of the methodology: each group with its items, unless it is folded. A single group has no row of
 * its own.
 */
export const rowsOf = (items: readonly Item[], folded: ReadonlySet<string>, filter: string): Row[] => {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const found = items.filter(({ key, title, group }) => {
    const text = `${key} ${title} ${group}`.toLowerCase()
    return words.every((each) => text.includes(each))
  })
  const groups = Map.groupBy(found, ({ group }) => group)
  const toRow = (item: Item): Row => ({ kind: 'item', key: item.key, item })
  if (new Set(items.map(({ group }) => group)).size < 2) return found.map(toRow)
  return [...groups].flatMap(([name, own]): Row[] => {
    // A filter unfolds what it finds.
    const isFolded = folded.has(name) && words.length === 0
    return [
      { kind: 'group', key: `group:${name}`, name: name || 'Other', items: own, isFolded },
      ...(isFolded ? [] : own.map(toRow)),
    ]
  })
}
