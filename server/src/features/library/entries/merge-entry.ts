import type { Severity } from '@sortie/contract/core/values.ts'
import { type LibraryTextValue, MAX_LANGUAGES } from '@sortie/contract/findings/library-fields.ts'
import { scoreOf, severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Rules, Texts } from './entries.queries.ts'

/** The parts of an entry that a request can set. */
export interface WrittenEntry {
  severity?: Severity
  cvssVector?: string | null
  cwe?: string[]
  owasp?: string[]
  wstg?: string[]
  attack?: string[]
  tags?: string[]
  rules?: Rules
  guidance?: string
  mainLanguage?: string
  texts?: Record<string, Partial<LibraryTextValue> | null>
}

export interface EntryContent extends Required<Omit<WrittenEntry, 'texts'>> {
  texts: Texts
}

const EMPTY_TEXT: LibraryTextValue = {
  title: '',
  summary: '',
  description: '',
  impact: '',
  reproduction: '',
  recommendation: '',
  references: [],
}

export const EMPTY_ENTRY: Omit<EntryContent, 'mainLanguage'> = {
  severity: 'info',
  cvssVector: null,
  cwe: [],
  owasp: [],
  wstg: [],
  attack: [],
  tags: [],
  rules: [],
  guidance: '',
  texts: {},
}

/**
 * An entry with the changes of a request: texts merge by language and field, and the severity follows a new vector
 * unless it is given.
 *
 * @throws ApiError VALIDATION_ERROR for an invalid vector, too many languages, and without a title in the main language
 */
export const mergeEntry = (before: EntryContent, { texts = {}, ...plain }: WrittenEntry): EntryContent => {
  const languages: Texts = { ...before.texts }
  for (const [language, text] of Object.entries(texts)) {
    if (text === null) delete languages[language]
    else languages[language] = { ...EMPTY_TEXT, ...languages[language], ...text }
  }
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)) as Omit<
    WrittenEntry,
    'texts'
  >
  const score = typeof given.cvssVector === 'string' ? requireScore(given.cvssVector) : undefined
  const after = {
    ...before,
    ...(score !== undefined && { severity: severityOfScore(score) }),
    ...given,
    texts: languages,
  }
  if (Object.keys(languages).length > MAX_LANGUAGES)
    throw invalid(`texts: must have at most ${MAX_LANGUAGES} languages`)
  if (!languages[after.mainLanguage]?.title)
    throw invalid(`texts.${after.mainLanguage}.title: is needed in the main language`)
  return after
}

const requireScore = (vector: string): number => {
  const score = scoreOf(vector)
  if (score === undefined) throw invalid('cvssVector: must be a complete CVSS 3.0, 3.1 or 4.0 vector')
  return score
}
