import Type from 'typebox'
import { closedObject, endpoint, OneOf, one } from '../core/endpoint.ts'

export const LIBRARY_FORMATS = ['auto', 'json', 'csv', 'pwndoc', 'sysreptor', 'ghostwriter'] as const
export const MAX_IMPORT_BYTES = 8_388_608
/** Entries of one file. */
export const MAX_IMPORTED = 1_000

export const exportLibraryEntries = endpoint({
  id: 'exportLibraryEntries',
  method: 'GET',
  path: '/library-entries/export',
  scope: 'reports:read',
  about: 'either',
  origin: 'extension',
  summary: "Download the organization's own entries, as the import reads them.",
  description:
    'Without built-in entries and proposals of engagements. JSON is exact. CSV has a row for each entry and language; cells that a spreadsheet would run begin with an apostrophe.',
  query: closedObject({ format: OneOf(['json', 'csv']) }),
  reply: Type.String(),
  produces: {
    byFormat: {
      csv: { type: 'text/csv; charset=utf-8', fileName: 'library.csv' },
      json: { type: 'application/json; charset=utf-8', fileName: 'library.json' },
    },
  },
  cost: { perHour: 120, atOnce: 2 },
  example: {
    reply: { entries: [{ key: 'sql-injection', mainLanguage: 'en', texts: { en: { title: 'SQL injection' } } }] },
  },
})

export const importLibraryEntries = endpoint({
  id: 'importLibraryEntries',
  method: 'POST',
  path: '/library-entries/import',
  scope: 'reports:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Import entries from a file of this product, PwnDoc, SysReptor or Ghostwriter.',
  description: `The body is the file, of any \`Content-Type\`: the JSON or CSV of this product; vulnerabilities of PwnDoc (JSON, YAML); finding templates of SysReptor (JSON, TOML, or \`.tar.gz\`, without images); the findings of Ghostwriter (CSV). HTML becomes Markdown. Entries are matched by key, and new and changed ones are drafts. \`mode=preview\` changes nothing. At most ${MAX_IMPORTED} entries; files that cannot be read, and files over 8 MiB, get 400.`,
  query: closedObject({
    format: Type.Optional(OneOf(LIBRARY_FORMATS, { default: 'auto' })),
    mode: OneOf(['preview', 'apply']),
  }),
  consumes: 'bytes',
  reply: one(
    closedObject({
      created: Type.Integer({ minimum: 0 }),
      updated: Type.Integer({ minimum: 0 }),
      unchanged: Type.Integer({ minimum: 0 }),
      rejected: Type.Array(
        closedObject({
          position: Type.Integer({ minimum: 1, description: 'of the entry in the file' }),
          reason: Type.String(),
        }),
      ),
    }),
  ),
  status: 200,
  responseTimeout: { seconds: 120 },
  conflicts: [
    'A library has at most 5000 entries.',
    'This organization may store 21474836480 bytes, including its files: delete some first.',
  ],
  cost: { perHour: 60, atOnce: 1 },
  example: {
    reply: {
      data: {
        created: 41,
        updated: 2,
        unchanged: 7,
        rejected: [{ position: 12, reason: 'texts.en.title: is needed in the main language' }],
      },
    },
  },
})
