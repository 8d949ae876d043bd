import type { Transaction } from '../../../platform/database/transaction.ts'
import { invalid } from '../../../platform/errors.ts'
import { severityOf } from '../../../platform/lists/severities.ts'
import { findEntry, listLanguages } from '../../library/entries/entries.queries.ts'
import { localize } from '../../library/entries/localize.ts'
import type { Texts } from '../texts/save-texts.service.ts'
import type { PlainFields } from '../update/changed-fields.ts'

interface WantedEntry {
  engagementId: string
  libraryEntryId?: string
  language?: string
}

/** What a finding gets of a library entry. */
interface EntryParts {
  id: string
  version: number
  fields: PlainFields
  texts: Texts
}

/** @returns undefined if none is wanted @throws ApiError VALIDATION_ERROR for a hidden entry */
export const readEntry = async (
  tx: Transaction,
  organizationId: string,
  { engagementId, libraryEntryId, language }: WantedEntry,
): Promise<EntryParts | undefined> => {
  if (libraryEntryId === undefined) return undefined
  const entry = await findEntry(tx, organizationId, libraryEntryId)
  // A proposal has the texts of its engagement, perhaps with data of that client.
  if (!entry || (entry.engagement_id !== null && entry.engagement_id !== engagementId))
    throw invalid('libraryEntryId: must be an entry that you can see')
  const languages = await listLanguages(tx, organizationId, engagementId)
  const { text } = localize(entry, [...(language === undefined ? [] : [language]), ...languages])
  const { title, references, ...texts } = text
  const { version, cvss_vector: cvssVector, cwe, owasp, wstg, attack, tags } = entry
  const fields = { title, severity: severityOf(entry.severity), cvssVector, references, cwe, owasp, wstg, attack, tags }
  return { id: entry.id, version, fields, texts }
}

/**
 * @throws ApiError VALIDATION_ERROR for a finding without an entry, and for a version that its entry does not have yet
 */
export const requireLibraryVersion = async (
  tx: Transaction,
  organizationId: string,
  finding: { library_entry_id: string | null },
  version: number | undefined,
): Promise<void> => {
  if (version === undefined) return
  const entry =
    finding.library_entry_id === null ? undefined : await findEntry(tx, organizationId, finding.library_entry_id)
  if (!entry || version > entry.version)
    throw invalid('libraryVersion: must be a version of the library entry of this finding')
}
