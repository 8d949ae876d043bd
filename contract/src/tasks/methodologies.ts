import Type, { type Static } from 'typebox'
import { closedObject, endpoint, Id, Line, Markdown, OneOf, one, Timestamp } from '../core/endpoint.ts'
import { declareList, PartOfText } from '../core/lists.ts'
import { TARGET_KINDS } from '../core/values.ts'

/** Bytes of a methodology, and keys of its JSON: a thousand items with their texts. */
export const METHODOLOGY_LIMITS = { bytes: 4_194_304, keys: 10_000 } as const

const Name = Line(200, { examples: ['OWASP WSTG'] })
const Version = Type.String({ maxLength: 50, format: 'single-line', examples: ['4.2'] })

const Item = closedObject({
  key: Line(64, { examples: ['WSTG-INPV-05'], description: 'unique in the methodology' }),
  title: Line(200, { examples: ['Testing for SQL Injection'] }),
  description: Markdown(20_000),
  group: Type.String({ maxLength: 100, format: 'single-line', examples: ['Input Validation'] }),
  appliesTo: Type.Array(OneOf(TARGET_KINDS), {
    maxItems: TARGET_KINDS.length,
    description: 'kinds of targets; empty: once for the engagement',
  }),
})

const { key, title, description, group, appliesTo } = Item.properties

const WrittenItem = closedObject({
  key,
  title,
  description: Type.Optional(description),
  group: Type.Optional(group),
  appliesTo: Type.Optional(appliesTo),
})

const WrittenItems = Type.Array(WrittenItem, { maxItems: 1_000 })

const heads = {
  id: Id('mth'),
  name: Name,
  description: Markdown(10_000),
  version: Version,
  builtIn: Type.Boolean({ description: 'built in: read-only, duplicate it to edit it' }),
  itemCount: Type.Integer({ minimum: 0 }),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
}

/** The form in lists. */
export const MethodologyHead = closedObject(heads)
export const Methodology = closedObject({ ...heads, items: Type.Array(Item, { maxItems: 1_000 }) })

export type MethodologyItem = Static<typeof Item>

const EXAMPLE_HEAD = {
  id: 'mth_01jd7w2v4pf1y8m3c6k9t0r5xz',
  name: 'Our web checklist',
  description: 'What every web application gets.',
  version: '3',
  builtIn: false,
  itemCount: 1,
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}
const EXAMPLE_ITEM = {
  key: 'WEB-01',
  title: 'Password reset',
  description: 'Enumeration, token, expiry.',
  group: 'Sign-in',
  appliesTo: ['url'],
}
const EXAMPLE = { ...EXAMPLE_HEAD, items: [EXAMPLE_ITEM] }

const OfMethodology = closedObject({ methodologyId: Id('mth') })
const BUILT_IN = 'This methodology is built in: duplicate it, and edit the copy.'
const LIMIT = 'An organization has at most 200 methodologies.'

const fields = {
  description: Type.Optional(Markdown(10_000)),
  version: Type.Optional(Version),
  items: Type.Optional(WrittenItems),
}

export const methodologyList = declareList({
  name: 'methodologies',
  item: MethodologyHead,
  sorts: ['createdAt', 'updatedAt', 'name'],
  filters: { q: PartOfText('part of the name') },
})

export const listMethodologies = endpoint({
  id: 'listMethodologies',
  method: 'GET',
  path: '/methodologies',
  scope: 'tasks:read',
  about: 'either',
  origin: 'extension',
  summary: 'List the methodologies of the organization and the built-in ones, without their items.',
  description: 'A key that is limited to engagements sees only the built-in ones.',
  query: methodologyList.query,
  reply: methodologyList.reply,
  example: { reply: { data: [EXAMPLE_HEAD], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const createMethodology = endpoint({
  id: 'createMethodology',
  method: 'POST',
  path: '/methodologies',
  scope: 'tasks:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Create a methodology.',
  body: closedObject({ name: Name, ...fields }),
  bodyLimits: METHODOLOGY_LIMITS,
  reply: one(Methodology),
  status: 201,
  conflicts: [LIMIT],
  example: { body: { name: EXAMPLE.name, items: EXAMPLE.items }, reply: { data: EXAMPLE } },
})

export const getMethodology = endpoint({
  id: 'getMethodology',
  method: 'GET',
  path: '/methodologies/:methodologyId',
  scope: 'tasks:read',
  about: 'either',
  origin: 'extension',
  summary: 'Read one methodology with its items.',
  params: OfMethodology,
  reply: one(Methodology),
  example: { reply: { data: EXAMPLE } },
})

export const updateMethodology = endpoint({
  id: 'updateMethodology',
  method: 'PATCH',
  path: '/methodologies/:methodologyId',
  scope: 'tasks:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Change a methodology; `items` replaces all of them.',
  description: 'Tasks created from it do not change.',
  params: OfMethodology,
  body: closedObject({
    name: Type.Optional(Name),
    ...fields,
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change was made from')),
  }),
  bodyLimits: METHODOLOGY_LIMITS,
  reply: one(Methodology),
  conflicts: [BUILT_IN, 'Someone else changed this methodology in the meantime. Reload it, then repeat the change.'],
  example: { body: { version: '4' }, reply: { data: { ...EXAMPLE, version: '4' } } },
})

export const deleteMethodology = endpoint({
  id: 'deleteMethodology',
  method: 'DELETE',
  path: '/methodologies/:methodologyId',
  scope: 'tasks:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Delete a methodology; tasks created from it stay.',
  params: OfMethodology,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('mth') })),
  conflicts: [BUILT_IN],
  example: { reply: { data: { deleted: true, id: EXAMPLE.id } } },
})

export const copyMethodology = endpoint({
  id: 'copyMethodology',
  method: 'POST',
  path: '/methodologies/:methodologyId/copy',
  scope: 'tasks:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Duplicate a methodology, for example to edit a built-in one.',
  params: OfMethodology,
  reply: one(Methodology),
  status: 201,
  conflicts: [LIMIT],
  example: { reply: { data: { ...EXAMPLE, name: 'Our web checklist (copy)' } } },
})

export const importMethodology = endpoint({
  id: 'importMethodology',
  method: 'POST',
  path: '/methodologies/import',
  scope: 'tasks:write',
  about: 'organization',
  origin: 'extension',
  summary: 'Create a methodology from a file: an export, or a checklist.',
  description:
    'The body is the file, of any `Content-Type`. JSON has the fields of a methodology, or is the WSTG or the ASVS as they are published. CSV (with commas, semicolons or tabs) has the columns `key`, `title`, `description`, `group` and `appliesTo` (kinds separated by spaces), their usual names in checklists, or those of `mapping`; the title is required. In Markdown each entry of a list is an item, in the group of the heading above it. Invalid files and files over 4 MiB get 400.',
  query: closedObject({
    format: Type.Optional(OneOf(['auto', 'json', 'csv', 'markdown'], { description: 'default `auto`' })),
    mapping: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 2_000,
        examples: ['req_id:key,req_description:title'],
        description: 'of a CSV or a list in JSON: column:field, separated by commas',
      }),
    ),
    name: Type.Optional(Line(200, { description: 'replaces the one in the file' })),
  }),
  consumes: 'bytes',
  reply: one(Methodology),
  status: 201,
  conflicts: [LIMIT],
  example: { reply: { data: EXAMPLE } },
})

export const exportMethodology = endpoint({
  id: 'exportMethodology',
  cost: { perHour: 120, atOnce: 2 },
  method: 'GET',
  path: '/methodologies/:methodologyId/export',
  scope: 'tasks:read',
  about: 'either',
  origin: 'extension',
  summary:
    'Download a methodology. JSON is exact; in CSV, cells that a spreadsheet would run begin with an apostrophe.',
  params: OfMethodology,
  query: closedObject({ format: OneOf(['json', 'csv']) }),
  reply: Type.String(),
  produces: {
    byFormat: {
      json: { type: 'application/json; charset=utf-8', fileName: 'methodology.json' },
      csv: { type: 'text/csv; charset=utf-8', fileName: 'methodology.csv' },
    },
  },
  example: {
    reply: { name: EXAMPLE.name, description: EXAMPLE.description, version: EXAMPLE.version, items: EXAMPLE.items },
  },
})
