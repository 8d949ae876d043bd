import type { Input } from '@sortie/client/calls.ts'
import type { GridSelection } from '../../../ui/grid/rows/selection.ts'

/** Selection of a bulk change of rules, as the API takes it. */
export type Selected = NonNullable<Input<'bulkDeleteScopeRules'>['body']>

/** @param filter of the list, for "all that match" */
export const selectedOf = (selection: GridSelection, filter: NonNullable<Selected['filter']>): Selected =>
  selection.kind === 'all' ? { filter } : { ids: [...selection.ids] }

const NUMBER = new Intl.NumberFormat('en')

/** `1 rule`, `1,200 rules` */
export const countOfRules = (count: number): string => `${NUMBER.format(count)} ${count === 1 ? 'rule' : 'rules'}`
