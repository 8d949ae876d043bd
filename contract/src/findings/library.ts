import Type from 'typebox'
import {
  CursorQuery,
  closedObject,
  cursorPage,
  endpoint,
  Id,
  Nullable,
  OneOf,
  one,
  Timestamp,
} from '../core/endpoint.ts'
import { fileEndpointsOf } from '../core/files.ts'
import { AnyOf, AnyText, declareList, PartOfText } from '../core/lists.ts'
import { SEVERITIES } from '../core/values.ts'
import { FieldFilter } from '../custom-fields/fields.ts'
import { PersonReference } from '../engagement/engagement-details.ts'
import { CvssVector, OfFinding, SECTIONS } from './finding-fields.ts'
import { Passages } from './finding-history.ts'
import {
  EXAMPLE_ENTRY,
  EXAMPLE_HEAD,
  EXAMPLE_TEXT,
  Language,
  LIBRARY_LIMITS,
  LIBRARY_STATES,
  LibraryEntry,
  LibraryEntryHead,
  LibraryKey,
  LibraryRules,
  LibraryText,
  LibraryTexts,
  writtenEntry,
} from './library-fields.ts'

const OfEntry = closedObject({ entryId: Id('lib') })
const OfVersion = closedObject({
  entryId: Id('lib'),
  version: Type.String({ pattern: '^[1-9][0-9]{0,6}$', maxLength: 7, examples: ['2'] }),
})

const BUILT_IN = 'This entry is built in: copy it, and change the copy.'
const KEY_TAKEN = 'key: another entry of the library has this key.'
const TOO_MANY_ENTRIES = 'A library has at most 5000 entries.'
const STALE = 'This entry was changed in the meantime. Read it again, then repeat the change.'
const CLIENT_DATA = 'The texts contain data of the client: "Contoso Ltd.". Replace it, or confirm it with `confirmed`.'
const STORAGE = 'This organization may store 21474836480 bytes, including its files: delete some first.'

/** Strings of a proposal that seem to belong to the client. */
const ClientData = Type.Array(Type.String(), {
  description:
    'names, hosts and addresses of the client in the texts of a proposal: replace them, or confirm them when you approve it',
})

const withClientData = closedObject({ data: LibraryEntry, meta: closedObject({ clientData: ClientData }) })

export const libraryList = declareList({
  name: 'library-entries',
  item: LibraryEntryHead,
  sorts: ['createdAt', 'updatedAt', 'key', 'title', 'severity'],
  filters: {
    state: AnyOf(LIBRARY_STATES),
    severity: AnyOf(SEVERITIES),
    cwe: AnyText(11),
    tag: AnyText(64),
    tool: AnyText(100, 'with rules of one of these tools'),
    language: AnyText(35, 'with texts in one of these languages'),
    builtIn: Type.Boolean({ description: 'only built-in entries, or only others' }),
    field: FieldFilter,
    q: PartOfText('part of the title or the key'),
  },
})

export const listLibraryEntries = endpoint({
  id: 'listLibraryEntries',
  method: 'GET',
  path: '/library-entries',
  scope: 'reports:read',
  about: 'either',
  origin: 'extension',
  summary: 'List the entries of the library, without their texts.',
  description:
    'A key that is limited to engagements sees only the built-in ones. A proposal is listed for those who see the engagement of its finding.',
  query: libraryList.query,
  reply: libraryList.reply,
  example: { reply: { data: [EXAMPLE_HEAD], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const createLibraryEntry = endpoint({
  id: 'createLibraryEntry',
  method: 'POST',
  path: '/library-entries',
  scope: 'reports:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Write an entry as a draft, or propose one from a finding.',
  description:
    'An entry needs `key`, `mainLanguage` and a title in it. `fromFindingId` proposes the texts of a finding, in `language` or that of its client; the key follows from its title unless given. `meta.clientData` lists what seems to belong to the client.',
  body: closedObject({
    ...Type.Partial(closedObject({ key: LibraryKey, ...writtenEntry })).properties,
    fromFindingId: Type.Optional(Id('fnd')),
    language: Type.Optional(Language),
  }),
  bodyLimits: LIBRARY_LIMITS,
  reply: withClientData,
  status: 201,
  conflicts: [KEY_TAKEN, TOO_MANY_ENTRIES, STORAGE],
  example: {
    body: { key: EXAMPLE_ENTRY.key, mainLanguage: 'en', texts: { en: { title: 'SQL injection' } } },
    reply: { data: { ...EXAMPLE_ENTRY, state: 'draft', version: 1, usedCount: 0 }, meta: { clientData: [] } },
  },
})

export const getLibraryEntry = endpoint({
  id: 'getLibraryEntry',
  method: 'GET',
  path: '/library-entries/:entryId',
  scope: 'reports:read',
  about: 'either',
  origin: 'extension',
  summary: 'Read an entry in all its languages.',
  params: OfEntry,
  reply: withClientData,
  example: { reply: { data: EXAMPLE_ENTRY, meta: { clientData: [] } } },
})

export const updateLibraryEntry = endpoint({
  id: 'updateLibraryEntry',
  method: 'PATCH',
  path: '/library-entries/:entryId',
  scope: 'reports:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Change, propose or approve an entry.',
  description:
    'A change of texts, rules or severity adds a version. The owner and admins in the web interface, and keys with `organizations:write`, approve entries and change approved ones: 403 for others. Client data in the texts of a proposal must be replaced, or named in `confirmed`, before it is approved.',
  params: OfEntry,
  body: closedObject({
    ...Type.Partial(closedObject({ key: LibraryKey, ...writtenEntry })).properties,
    state: Type.Optional(OneOf(LIBRARY_STATES)),
    confirmed: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), { maxItems: 200 })),
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change is based on')),
  }),
  bodyLimits: LIBRARY_LIMITS,
  reply: withClientData,
  conflicts: [BUILT_IN, KEY_TAKEN, STALE, CLIENT_DATA, STORAGE],
  example: { body: { state: 'approved' }, reply: { data: EXAMPLE_ENTRY, meta: { clientData: [] } } },
})

export const deleteLibraryEntry = endpoint({
  id: 'deleteLibraryEntry',
  method: 'DELETE',
  path: '/library-entries/:entryId',
  scope: 'reports:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Delete an entry with its versions. Findings that were made from it stay.',
  description: 'Only those who may approve entries may delete approved ones: 403 for others.',
  params: OfEntry,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('lib') })),
  conflicts: [BUILT_IN],
  example: { reply: { data: { deleted: true, id: EXAMPLE_ENTRY.id } } },
})

export const copyLibraryEntry = endpoint({
  id: 'copyLibraryEntry',
  method: 'POST',
  path: '/library-entries/:entryId/copy',
  scope: 'reports:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Copy an entry as a draft, such as a built-in one to change it.',
  params: OfEntry,
  body: closedObject({ key: Type.Optional(LibraryKey) }),
  bodyIsOptional: true,
  reply: one(LibraryEntry),
  status: 201,
  conflicts: [KEY_TAKEN, TOO_MANY_ENTRIES, STORAGE],
  example: {
    body: { key: 'sql-injection-2' },
    reply: { data: { ...EXAMPLE_ENTRY, key: 'sql-injection-2', state: 'draft', version: 1 } },
  },
})

const LibraryVersion = closedObject({
  version: Type.Integer({ minimum: 1 }),
  author: Nullable(PersonReference.properties, 'null for a key'),
  createdAt: Timestamp(),
})
const EXAMPLE_VERSION = { version: 2, author: EXAMPLE_ENTRY.createdBy, createdAt: '2026-11-21T08:30:00.000Z' }

export const listLibraryVersions = endpoint({
  id: 'listLibraryVersions',
  method: 'GET',
  path: '/library-entries/:entryId/versions',
  scope: 'reports:read',
  about: 'either',
  origin: 'extension',
  summary: 'List the versions of an entry, newest first.',
  description: 'Built-in entries and proposals have none.',
  params: OfEntry,
  query: closedObject(CursorQuery),
  reply: cursorPage(LibraryVersion),
  example: { reply: { data: [EXAMPLE_VERSION], meta: { perPage: 20, nextCursor: null } } },
})

export const getLibraryVersion = endpoint({
  id: 'getLibraryVersion',
  method: 'GET',
  path: '/library-entries/:entryId/versions/:version',
  scope: 'reports:read',
  about: 'either',
  origin: 'extension',
  summary: 'Read one version of an entry.',
  params: OfVersion,
  reply: one(
    closedObject({
      ...LibraryVersion.properties,
      severity: OneOf(SEVERITIES),
      cvssVector: CvssVector,
      rules: LibraryRules,
      texts: LibraryTexts,
    }),
  ),
  example: {
    reply: {
      data: {
        ...EXAMPLE_VERSION,
        severity: 'critical',
        cvssVector: EXAMPLE_ENTRY.cvssVector,
        rules: EXAMPLE_ENTRY.rules,
        texts: EXAMPLE_ENTRY.texts,
      },
    },
  },
})

export const getLibraryDiff = endpoint({
  id: 'getLibraryDiff',
  method: 'GET',
  path: '/findings/:findingId/library-diff',
  scope: 'reports:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Compare a finding with the current version of its library entry.',
  description:
    'A finding that was made from no entry is 404, and so is one whose entry was deleted. Passages lead from the finding to the entry.',
  params: OfFinding,
  query: closedObject({ language: Type.Optional(Language) }),
  reply: one(
    closedObject({
      libraryEntryId: Id('lib'),
      usedVersion: Type.Integer({ minimum: 1, description: 'that the finding was made from' }),
      currentVersion: Type.Integer({ minimum: 1 }),
      language: Language,
      text: LibraryText,
      severity: OneOf(SEVERITIES),
      cvssVector: CvssVector,
      diff: closedObject(Object.fromEntries(SECTIONS.map((section) => [section, Passages]))),
    }),
  ),
  cost: { perHour: 6_000, atOnce: 4 },
  example: {
    reply: {
      data: {
        libraryEntryId: EXAMPLE_ENTRY.id,
        usedVersion: 2,
        currentVersion: 3,
        language: 'en',
        text: EXAMPLE_TEXT,
        severity: 'critical',
        cvssVector: EXAMPLE_ENTRY.cvssVector,
        diff: {
          ...Object.fromEntries(SECTIONS.map((section) => [section, []])),
          impact: [{ type: 'added', lines: [EXAMPLE_TEXT.impact] }],
        },
      },
    },
  },
})

const FILES = {
  noun: 'LibraryEntry',
  name: 'a library entry',
  path: '/library-entries/:entryId',
  params: { entryId: Id('lib') },
  read: 'reports:read',
  write: 'reports:write',
  conflicts: [BUILT_IN, 'This entry is a proposal: approve it first.'],
} as const

const writtenFiles = fileEndpointsOf({ ...FILES, about: 'organization' })
const readFiles = fileEndpointsOf({ ...FILES, about: 'either' })

export const uploadLibraryEntryFile = writtenFiles.upload
export const listLibraryEntryFiles = readFiles.list
export const downloadLibraryEntryFile = readFiles.download
export const deleteLibraryEntryFile = writtenFiles.remove
