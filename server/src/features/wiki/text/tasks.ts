import * as archive from './archive-task.ts'
import * as text from './page-text-task.ts'

/** What the threads of `createPageTexts` do, by name. */
export const { prepareText, compareTexts } = text
export const { toArchive, addressesIn, fromArchive } = archive
