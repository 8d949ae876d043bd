import * as archive from './archive-task.ts'
import * as text from './page-text-task.ts'

/** The tasks of the threads of `createPageTexts`, by name. */
export const { prepareText, compareTexts } = text
export const { toArchive, addressesIn, fromArchive } = archive
