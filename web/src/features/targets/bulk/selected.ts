import type { Input } from '@sortie/client/calls.ts'
import type { GridSelection } from '../../../ui/grid/rows/selection.ts'

/** Selection of a bulk change, as the API takes it. */
export type Selected = NonNullable<Input<'deleteTargets'>['body']>

type Filter = NonNullable<Selected['filter']>

/** @param filter of the list, for "all that match" */
export const selectedOf = (selection: GridSelection, filter: Filter): Selected =>
  selection.kind === 'all' ? { filter } : { ids: [...selection.ids] }

/** API limit of ids per request. */
const MAX_IDS = 1_000

/**
 * Splits a bulk change into as many requests as its ids need, sent one after another.
 * @returns sum of the results
 * @throws what `send` throws; earlier requests stay applied
 */
export const inParts = async (selected: Selected, send: (part: Selected) => Promise<number>): Promise<number> => {
  if (!selected.ids) return send(selected)
  let sum = 0
  for (let from = 0; from < selected.ids.length; from += MAX_IDS)
    sum += await send({ ids: selected.ids.slice(from, from + MAX_IDS) })
  return sum
}

const NUMBER = new Intl.NumberFormat('en')

/** `1 target`, `1,200 targets` */
export const countOfTargets = (count: number): string => `${NUMBER.format(count)} ${count === 1 ? 'target' : 'targets'}`
