import * as archive from './archive-task.ts'
import * as html from './html-to-markdown.ts'
import * as text from './page-text-task.ts'

/** The tasks of the threads of `createPageTexts`, by name. */
export const { prepareText, compareTexts } = text
export const { toArchive, addressesIn, fromArchive } = archive
export const { htmlToMarkdown } = html
