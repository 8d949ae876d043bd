import type { TARGET_KINDS } from '@sortie/contract/targets.ts'

type TargetKind = (typeof TARGET_KINDS)[number]

export interface BuiltInItem {
  key: string
  title: string
  description: string
  group: string
  appliesTo: readonly TargetKind[]
}

/** A methodology that comes with the program. */
export interface BuiltIn {
  /** Part of its id, for ever: lower-case letters and digits. */
  slug: string
  name: string
  version: string
  description: string
  items: readonly BuiltInItem[]
}

/** An item as it is written: what to check, how, and on what. */
type Written = readonly [title: string, description: string, appliesTo: readonly TargetKind[]]

/** Items of one group, with keys in the order of the list. */
export const itemsOf = (prefix: string, group: string, written: readonly Written[]): BuiltInItem[] =>
  written.map(([title, description, appliesTo], index) => ({
    key: `${prefix}-${String(index + 1).padStart(2, '0')}`,
    title,
    description,
    group,
    appliesTo,
  }))
