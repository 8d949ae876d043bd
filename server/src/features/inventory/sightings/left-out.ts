/** What was left out beyond a limit, by the field of the data. */
export type LeftOut = Readonly<Record<string, number>>

/** By list: how many of its entries were left out. */
const counts = new WeakMap<object, number>()

/** Returns the first entries of a list, and notes how many it leaves out. @see leftOutIn */
export const limitedTo = <T>(max: number, entries: readonly T[]): T[] =>
  withLeftOut(entries.slice(0, max), Math.max(0, entries.length - max) + leftOutOf(entries))

/** Notes that a list lacks entries. */
export const withLeftOut = <T extends object>(list: T, count: number): T => {
  if (count > 0) counts.set(list, count)
  return list
}

export const leftOutOf = (list: unknown): number =>
  typeof list === 'object' && list !== null ? (counts.get(list) ?? 0) : 0

/** How many entries the fields of the data lack. */
export const leftOutIn = (data: Readonly<Record<string, unknown>>): LeftOut =>
  Object.fromEntries(
    Object.entries(data)
      .map(([field, value]) => [field, leftOutOf(value)] as const)
      .filter(([, count]) => count > 0),
  )

/** The sums, by field. */
export const sumLeftOut = (...parts: readonly LeftOut[]): LeftOut => {
  const sum: Record<string, number> = {}
  for (const part of parts) for (const [field, count] of Object.entries(part)) sum[field] = (sum[field] ?? 0) + count
  return sum
}
