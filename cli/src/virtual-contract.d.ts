declare module 'virtual:contract' {
  import type { CallTable } from '@sortie/client/call-table.ts'

  /** Version of the instance that serves this file. */
  export const VERSION: string
  export const CALLS: CallTable
  /** Filters and order of each list, by the name of its call. */
  export const FILTERS: Readonly<Record<string, readonly Filter[]>>

  interface Filter {
    name: string
    about: string
    values: readonly string[]
    type: 'string' | 'boolean'
    /** May be given several times. */
    repeats: boolean
  }
}
