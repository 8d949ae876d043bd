import type { Input } from '@sortie/client/calls.ts'
import type { GridSelection } from '../../../ui/grid/rows/selection.ts'

/** Selection of a bulk change, as the API takes it. */
export type Selected = NonNullable<Input<'bulkDeleteTargets'>['body']>

type Filter = NonNullable<Selected['filter']>

/** @param filter of the list, for "all that match" */
export const selectedOf = (selection: GridSelection, filter: Filter): Selected =>
  selection.kind === 'all' ? { filter } : { ids: [...selection.ids] }

const NUMBER = new Intl.NumberFormat('en')

/** `1 target`, `1,200 targets` */
export const countOfTargets = (count: number): string => `${NUMBER.format(count)} ${count === 1 ? 'target' : 'targets'}`
