import type { UseQueryOptions } from '@tanstack/react-query'

/** Reads row counts by value; null if there are too many to count. */
// oxlint-disable-next-line typescript/no-explicit-any -- keys differ by list, and no code here reads them
export type Counts = UseQueryOptions<any, Error, Readonly<Record<string, number | null>> | null, any>
