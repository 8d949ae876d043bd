export interface Spread {
  min: number
  median: number
  max: number
}

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

export const spread = (values: number[]): Spread => ({ min: Math.min(...values), median: median(values), max: Math.max(...values) })
