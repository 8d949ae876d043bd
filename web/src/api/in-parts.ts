/** API limit of ids, and of rows to revert, per request. */
export const MAX_IDS = 1_000

/** A list in pieces of `MAX_IDS`. */
export const partsOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / MAX_IDS) }, (_, index) =>
    items.slice(index * MAX_IDS, (index + 1) * MAX_IDS),
  )

/**
 * Splits a bulk change into as many requests as its ids need, sent one after another.
 * @returns the answers
 * @throws what `send` throws; earlier requests stay applied
 */
export const inParts = async <S extends { ids?: string[] }, R>(
  selected: S,
  send: (part: S | { ids: string[] }) => Promise<R>,
): Promise<R[]> => {
  if (!selected.ids) return [await send(selected)]
  const answers: R[] = []
  for (const ids of partsOf(selected.ids)) answers.push(await send({ ids }))
  return answers
}

/** Sum of one number of each answer. */
export const sumOf = <T>(answers: readonly T[], count: (answer: T) => number): number =>
  answers.reduce((sum, answer) => sum + count(answer), 0)
