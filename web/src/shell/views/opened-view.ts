import type { View } from './view-search.ts'

/** The dialog that is open, and its view. */
export type OpenedView = { what: 'save' } | { what: 'rename' | 'delete'; view: View }
