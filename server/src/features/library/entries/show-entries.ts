import type { LibraryEntry, LibraryEntryHead } from '@sortie/contract/findings/library-fields.ts'
import type { Static } from 'typebox'
import { severityOf } from '../../../platform/lists/severities.ts'
import type { EntryRow, HeadRow } from './entries.queries.ts'

export const toHead = (row: HeadRow): Static<typeof LibraryEntryHead> => ({
  id: row.id,
  key: row.key,
  state: row.state,
  version: row.version,
  title: row.title,
  languages: row.languages,
  severity: severityOf(row.severity),
  cvssVector: row.cvss_vector,
  cwe: row.cwe,
  owasp: row.owasp,
  wstg: row.wstg,
  attack: row.attack,
  tags: row.tags,
  tools: row.tools,
  mainLanguage: row.main_language,
  fields: row.fields,
  builtIn: row.built_in,
  fromFindingId: row.finding_id,
  usedCount: row.used_count,
  createdBy: row.created_by === null ? null : { id: row.created_by, name: row.creator_name as string },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const toEntry = (row: EntryRow): Static<typeof LibraryEntry> => ({
  ...toHead(row),
  rules: row.rules,
  guidance: row.guidance,
  texts: row.texts,
})
