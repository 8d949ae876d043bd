import Type, { type Static } from 'typebox'
import { closedObject, Id, Line, Markdown, Nullable, NullableString, OneOf, Timestamp } from '../core/endpoint.ts'
import { SEVERITIES } from '../core/values.ts'
import { Fields, FieldsChange } from '../custom-fields/fields.ts'
import { PersonReference } from '../engagement/engagement-details.ts'
import { CvssVector, EmptyLine, MAX_SECTION, plainFields, texts } from './finding-fields.ts'

export const LIBRARY_STATES = ['draft', 'proposed', 'approved'] as const
export const MAX_LANGUAGES = 20
/** Bytes of a body with an entry in all its languages. */
export const LIBRARY_LIMITS = { bytes: 8_388_608, keys: 4_000 } as const
export const LANGUAGE_PATTERN = '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$'

export const Language = Type.String({
  pattern: LANGUAGE_PATTERN,
  maxLength: 35,
  examples: ['en'],
  description: 'BCP 47',
})

export const LibraryKey = Line(40, {
  pattern: '^[^,/]+$',
  examples: ['sql-injection'],
  description: 'unique in the organization',
})

const textFields = { title: EmptyLine(300), ...texts, references: plainFields.references }
export const LibraryText = closedObject(textFields)
export type LibraryTextValue = Static<typeof LibraryText>

/** Texts in a response, by language. */
export const LibraryTexts = Type.Unsafe<Record<string, LibraryTextValue>>({
  type: 'object',
  additionalProperties: false,
  patternProperties: { [LANGUAGE_PATTERN]: LibraryText },
  examples: [{}],
  description: 'by language; a missing translation falls back to the main language, field by field',
})

/** Texts in a request: others keep their values, null removes a language. */
export const LibraryTextsChange = Type.Unsafe<Record<string, Partial<LibraryTextValue> | null>>({
  type: 'object',
  additionalProperties: false,
  maxProperties: MAX_LANGUAGES,
  patternProperties: {
    [LANGUAGE_PATTERN]: { ...Type.Partial(LibraryText), additionalProperties: false, type: ['object', 'null'] },
  },
  examples: [{ en: { title: 'SQL injection' } }],
  description: `by language, at most ${MAX_LANGUAGES}: fields that are left out keep their values, \`null\` removes a language`,
})

export const LibraryRules = Type.Array(
  closedObject({
    tool: Line(100, { examples: ['nuclei'] }),
    ruleId: Line(1_000, { examples: ['deprecated-tls'], description: 'a `*` at its end matches any ending' }),
  }),
  { maxItems: 500, description: 'rules of tools whose results it describes' },
)

export const writtenEntry = {
  severity: OneOf(SEVERITIES, { description: 'follows from the vector unless given' }),
  cvssVector: CvssVector,
  cwe: plainFields.cwe,
  owasp: plainFields.owasp,
  wstg: plainFields.wstg,
  attack: plainFields.attack,
  tags: plainFields.tags,
  rules: LibraryRules,
  guidance: Markdown(MAX_SECTION),
  mainLanguage: Language,
  texts: LibraryTextsChange,
  fields: FieldsChange,
}

const heads = {
  id: Id('lib'),
  key: LibraryKey,
  state: OneOf(LIBRARY_STATES),
  version: Type.Integer({ minimum: 1, description: 'grows with each change of texts, rules or severity' }),
  title: Type.String({ description: 'in the main language' }),
  languages: Type.Array(Language),
  severity: OneOf(SEVERITIES),
  cvssVector: CvssVector,
  cwe: plainFields.cwe,
  owasp: plainFields.owasp,
  wstg: plainFields.wstg,
  attack: plainFields.attack,
  tags: plainFields.tags,
  tools: Type.Array(Type.String(), { description: 'tools that its rules name' }),
  mainLanguage: Language,
  fields: Fields,
  builtIn: Type.Boolean({ description: 'part of the product: read-only; copy it to change it' }),
  fromFindingId: NullableString('the finding that it was proposed from, until it is approved'),
  usedCount: Type.Integer({ minimum: 0, description: 'findings that were made from it and that the caller sees' }),
  createdBy: Nullable(PersonReference.properties, 'null for a key and for built-in entries'),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
}

/** An entry in lists, without its texts. */
export const LibraryEntryHead = closedObject(heads)
export const LibraryEntry = closedObject({
  ...heads,
  rules: LibraryRules,
  guidance: Markdown(MAX_SECTION),
  texts: LibraryTexts,
})

export const EXAMPLE_TEXT: LibraryTextValue = {
  title: 'SQL injection',
  summary: 'Input becomes part of a statement of the database.',
  description: 'The application puts input into a statement without a parameter.',
  impact: 'Attackers read and change the data of all users.',
  reproduction: '1. Send a single quote.\n2. Compare the answers.',
  recommendation: 'Use parameters in every statement.',
  references: ['https://owasp.org/www-community/attacks/SQL_Injection'],
}

export const EXAMPLE_HEAD = {
  id: 'lib_01jd7w2v4pf1y8m3c6k9t0r5xz',
  key: 'sql-injection',
  state: 'approved',
  version: 3,
  title: 'SQL injection',
  languages: ['en'],
  severity: 'critical',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cwe: ['CWE-89'],
  owasp: ['A03:2021'],
  wstg: ['WSTG-INPV-05'],
  attack: ['T1190'],
  tags: ['web'],
  tools: ['nuclei'],
  mainLanguage: 'en',
  fields: {},
  builtIn: false,
  fromFindingId: null,
  usedCount: 12,
  createdBy: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}

export const EXAMPLE_ENTRY = {
  ...EXAMPLE_HEAD,
  rules: [{ tool: 'nuclei', ruleId: 'sqli-*' }],
  guidance: 'Confirm it with a delay.',
  texts: { en: EXAMPLE_TEXT },
}
