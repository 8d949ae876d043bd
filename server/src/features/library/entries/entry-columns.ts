import { severityOf, weightOf } from '../../../platform/lists/severities.ts'
import type { EntryRow } from './entries.queries.ts'
import type { EntryContent } from './merge-entry.ts'

export const contentOf = (row: EntryRow): EntryContent => ({
  severity: severityOf(row.severity),
  cvssVector: row.cvss_vector,
  cwe: row.cwe,
  owasp: row.owasp,
  wstg: row.wstg,
  attack: row.attack,
  tags: row.tags,
  rules: row.rules,
  guidance: row.guidance,
  mainLanguage: row.main_language,
  texts: row.texts,
})

export const columnsOf = ({ severity, cvssVector, rules, mainLanguage, texts, ...others }: EntryContent) => ({
  ...others,
  severity: weightOf(severity),
  cvss_vector: cvssVector,
  rules: JSON.stringify(rules),
  main_language: mainLanguage,
  texts: JSON.stringify(texts),
  title: texts[mainLanguage]?.title ?? '',
})

export type Columns = ReturnType<typeof columnsOf>

/** Bytes in UTF-8. */
export const sizeOf = ({ texts, guidance, rules }: Columns): number =>
  Buffer.byteLength(texts) + Buffer.byteLength(guidance) + Buffer.byteLength(rules)
