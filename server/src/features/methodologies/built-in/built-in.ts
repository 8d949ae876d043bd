import type { TARGET_KINDS } from '@sortie/contract/core/values.ts'

type TargetKind = (typeof TARGET_KINDS)[number]

export interface BuiltInItem {
  key: string
  title: string
  description: string
  group: string
  appliesTo: readonly TargetKind[]
}

/** A methodology that is part of the product. */
export interface BuiltIn {
  /** Part of its id, so it never changes: lower-case letters and digits. */
  slug: string
  name: string
  version: string
  description: string
  items: readonly BuiltInItem[]
}

/** An item in the source: what to check, how, and which kinds of targets. */
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
