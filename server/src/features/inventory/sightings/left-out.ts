/** What was left out beyond a limit, by the field of the data. */
export type LeftOut = Readonly<Record<string, number>>

/** A list that ends at a limit, and how many entries it lacks. */
export class Limited<T extends object> {
  readonly list: T
  readonly leftOut: number

  constructor(list: T, leftOut: number) {
    this.list = list
    this.leftOut = leftOut
  }
}

/** @param lacking how many entries were left out before */
export const limitedTo = <T>(max: number, entries: readonly T[], lacking = 0): Limited<T[]> =>
  new Limited(entries.slice(0, max), lacking + Math.max(0, entries.length - max))

/** Separates the fields of the data from how many entries their lists lack. */
export const separated = (
  fields: Readonly<Record<string, unknown>>,
): { data: Record<string, unknown>; leftOut: LeftOut } => {
  const leftOut: Record<string, number> = {}
  const data: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(fields)) {
    data[field] = value instanceof Limited ? value.list : value
    if (value instanceof Limited && value.leftOut > 0) leftOut[field] = value.leftOut
  }
  return { data, leftOut }
}

/** The sums, by field. */
export const sumLeftOut = (...parts: readonly LeftOut[]): LeftOut => {
  const sum: Record<string, number> = {}
  for (const part of parts) for (const [field, count] of Object.entries(part)) sum[field] = (sum[field] ?? 0) + count
  return sum
}
