import { createLibraryEntry } from '@sortie/contract/findings/library.ts'
import { badRequest } from '../../../platform/errors.ts'
import { requestParser } from '../../../platform/http/routes/validate.ts'
import type { NewEntry } from '../entries/entries.service.ts'
import { EMPTY_ENTRY, mergeEntry } from '../entries/merge-entry.ts'
import type { ImportedEntry } from './formats/imported-entry.ts'

/** An entry of a file is validated like the body of the create request. */
const parser = requestParser(createLibraryEntry)

/** @throws ApiError BAD_REQUEST or VALIDATION_ERROR for an entry that could not be created */
export const checkedEntry = (raw: ImportedEntry): NewEntry & { key: string } => {
  const { key, ...entry } = parser.body({ ...raw }) as NewEntry
  if (key === undefined || key === '') throw badRequest('key: is needed')
  if (entry.mainLanguage === undefined) throw badRequest('mainLanguage: is needed')
  mergeEntry({ ...EMPTY_ENTRY, mainLanguage: entry.mainLanguage }, entry)
  return { key, ...entry }
}
