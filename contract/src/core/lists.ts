import Type, { type TObject, type TSchema } from 'typebox'
import { CountedMeta, CursorMeta, CursorQuery, closedObject, Id, MAX_TOTAL, one, OneOf, Timestamp } from './endpoint.ts'

/** The schema of a filter; use the functions below. */
type FilterSchema = TSchema

interface ListDeclaration {
  /** Unique among all lists: a cursor is valid only for the list of this name. */
  name: string
  /** A row of the response. */
  item: TSchema
  /** The first is the default. */
  sorts: readonly [string, ...string[]]
  /** Default: `desc`. */
  order?: 'asc' | 'desc'
  /**
   * Rows of an engagement have a manual order: `position` ascending is the default if the request names an engagement,
   * and only then.
   */
  positioned?: true
  filters?: Record<string, FilterSchema>
  /** Filters whose values can be counted: made by `AnyOf`, `AnyId` and `AnyText`. */
  facets?: readonly string[]
  /** False: without `meta.total`. */
  counted?: false
}

/** A list that is read by cursor: its parameters and its reply. See docs/platform/lists.md. */
export interface List<D extends ListDeclaration = ListDeclaration> {
  name: D['name']
  sorts: readonly [SortOf<D>, ...SortOf<D>[]]
  order: 'asc' | 'desc'
  positioned: boolean
  facets: readonly FacetOf<D>[]
  counted: boolean
  /** Parameters of the list endpoint. */
  query: TObject<
    typeof ListCursorQuery & { sort: TOptionalOf<SortOf<D>>; order: TOptionalOf<'asc' | 'desc'> } & Optional<
        FiltersOf<D>
      >
  >
  reply: D['counted'] extends false ? TPage<D['item'], typeof CursorMeta> : TPage<D['item'], typeof CountedMeta>
  /** Parameters of `GET .../facets`. */
  facetsQuery: TObject<
    Optional<FiltersOf<D>> & { by: ReturnType<typeof Commas<ReturnType<typeof OneOf<readonly FacetOf<D>[]>>>> }
  >
  facetsReply: TObject<{ data: Type.TUnsafe<{ [F in FacetOf<D>]?: Record<string, number | null> | null }> }>
  /** Filter of a bulk change: it must name its engagement. */
  filter: TObject<
    Optional<Omit<FiltersOf<D>, 'engagementId'>> & Pick<FiltersOf<D>, 'engagementId' & keyof FiltersOf<D>>
  >
}

type SortOf<D extends ListDeclaration> = D['sorts'][number] | (D['positioned'] extends true ? 'position' : never)
type FiltersOf<D extends ListDeclaration> = D['filters'] extends Record<string, FilterSchema> ? D['filters'] : {}
type FacetOf<D extends ListDeclaration> = D['facets'] extends readonly string[] ? D['facets'][number] : never
type TOptionalOf<T> = Type.TOptional<Type.TUnsafe<T>>
type Optional<F> = { [K in keyof F]: F[K] extends TSchema ? Type.TOptional<F[K]> : never }
type TPage<I extends TSchema, M extends TSchema> = TObject<{ data: Type.TArray<I>; meta: M }>

/** Parameters that every list has. */
const RESERVED = ['cursor', 'perPage', 'sort', 'order', 'by']

/** Declares a list: the one source of the parameters, the reply and the facets. */
export const declareList = <const D extends ListDeclaration>(declaration: D): List<D> => {
  const { name, item, filters = {}, facets = [], order = 'desc', positioned = false, counted = true } = declaration
  const reserved = Object.keys(filters).find((filter) => RESERVED.includes(filter))
  if (reserved) throw new Error(`the list ${name} has a filter named ${reserved}`)
  const sorts = positioned ? [...declaration.sorts, 'position'] : declaration.sorts
  const optional = Object.fromEntries(
    Object.entries(filters).map(([filter, schema]) => [filter, Type.Optional(schema)]),
  )
  const { engagementId, ...others } = {
    ...optional,
    ...(filters['engagementId'] && { engagementId: filters['engagementId'] }),
  }
  return {
    name,
    sorts,
    order,
    positioned,
    facets,
    counted,
    query: closedObject({ ...ListCursorQuery, ...sequence(sorts, order, positioned), ...optional }),
    reply: closedObject({ data: Type.Array(item), meta: counted ? CountedMeta : CursorMeta }),
    facetsQuery: closedObject({ by: Commas(OneOf(facets), 'filters whose values are counted'), ...optional }),
    facetsReply: closedObject({
      data: closedObject(
        Object.fromEntries(facets.map((facet) => [facet, Type.Optional(countsOf(filters[facet] as FilterSchema))])),
      ),
    }),
    filter: closedObject(engagementId ? { ...others, engagementId } : others),
  } as unknown as List<D>
}

const ListCursorQuery = {
  ...CursorQuery,
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'meta.nextCursor of the previous page, with the same filters and sort',
    }),
  ),
}

const sequence = (sorts: readonly string[], order: string, positioned: boolean) => ({
  sort: Type.Optional(
    positioned
      ? OneOf(sorts, {
          description: `\`position\` needs \`engagementId\`, and is the default with it; \`${sorts[0]}\` without`,
        })
      : OneOf(sorts, { default: sorts[0] }),
  ),
  order: Type.Optional(
    positioned
      ? OneOf(['asc', 'desc'], { description: `\`asc\` by position, else \`${order}\`` })
      : OneOf(['asc', 'desc'], { default: order }),
  ),
})

/** Counts of rows by value. Contains all known values; other values are omitted if too many rows match. */
const countsOf = (filter: FilterSchema): TSchema => {
  const words = (filter as { items?: { enum?: readonly string[] } }).items?.enum
  const count = { type: ['integer', 'null'], minimum: 0 }
  const description = `rows by value; \`null\` above ${MAX_TOTAL}`
  if (words) return closedObject(Object.fromEntries(words.map((word) => [word, Type.Unsafe(count)])), { description })
  return Type.Unsafe({
    type: ['object', 'null'],
    additionalProperties: { ...count, type: 'integer' },
    description: `${description} rows in all`,
  })
}

const MAX_VALUES = 100

/** Several values: comma-separated in a query, a list or the same text in a body. */
const Commas = <I extends TSchema>(items: I, description?: string) =>
  Type.Array(items, { minItems: 1, maxItems: MAX_VALUES, 'x-commas': true, ...(description && { description }) })

/** Any of these words. `orNone`: the word `none` means the rows without a value. */
export const AnyOf = <const W extends readonly string[]>(
  words: W,
  { orNone = false, description }: { orNone?: boolean; description?: string } = {},
) => Commas(OneOf<readonly (W[number] | 'none')[]>(orNone ? [...words, 'none'] : words), description)

/**
 * Any of these ids. `orNone`: `none` means the rows without one; `orMe`: `me` means the signed-in user, or the agent of
 * the key.
 *
 * @param of a prefix, or the schema of an id
 */
export const AnyId = (
  of: string | TSchema,
  { orNone = false, orMe = false, description }: { orNone?: boolean; orMe?: boolean; description?: string } = {},
) => {
  const id = (typeof of === 'string' ? Id(of) : of) as { pattern?: string; maxLength?: number; examples?: unknown }
  const others = [...(orNone ? ['none'] : []), ...(orMe ? ['me'] : [])]
  const text = [description, orNone && '`none`: without', orMe && '`me`: the signed-in user, or the agent of the key']
    .filter(Boolean)
    .join('; ')
  if (others.length === 0) return Commas(Type.String(id), text)
  const pattern = `^(?:${(id.pattern as string).slice(1, -1)}|${others.join('|')})$`
  return Commas(Type.String({ ...id, pattern }), text)
}

/** Any of these texts, such as tags: exact matches, without commas. */
export const AnyText = (maxLength: number, description?: string) =>
  Commas(Type.String({ minLength: 1, maxLength }), description)

/** Any of these integers. */
export const AnyInteger = (minimum: number, maximum: number, description?: string) =>
  Commas(Type.Integer({ minimum, maximum }), description)

/** The id of the list's engagement. */
export const OneId = (prefix: string, description?: string) => Id(prefix, description)

/** Start (inclusive) or end (exclusive) of a period: `2026-11-21` is its first moment in UTC. */
export const DayOrTime = (description: string) =>
  Type.String({
    format: 'day-or-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z)?$',
    maxLength: 24,
    examples: ['2026-11-21'],
    description,
  })

/** A part of a text, case-insensitive. */
export const PartOfText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, format: 'single-line', description })

/** Only rows that have this property; `false` is the same as absent. */
export const Flag = (description: string) => Type.Boolean({ description })

/** `organization=true`, for rows that may belong to no engagement. */
export const OrganizationFlag = Flag('only what belongs to no engagement')

const MAX_IDS = 1_000

/**
 * The selection of a bulk change, as fields of its body: `ids` or `filter`, not both (422). Missing and hidden ids do
 * not count.
 */
export const selectionOf = <D extends ListDeclaration>(list: List<D>, prefix: string) => ({
  ids: Type.Optional(Type.Array(Id(prefix), { minItems: 1, maxItems: MAX_IDS })),
  filter: Type.Optional(list.filter),
})

/** A filter of lists of objects that stay in the trash after their deletion. */
export const TrashFlag = Flag(
  'only what is in the trash, where deleted objects stay for 30 days; without it, what is not',
)

/**
 * The reply of a restore. Objects that are not in the trash, or cannot come back, such as one that exists again, are
 * skipped.
 */
export const Restored = one(
  closedObject({ restored: Type.Integer({ minimum: 0 }), skipped: Type.Integer({ minimum: 0 }) }),
)

const MAX_REVERTED = 1_000

/** A field of a bulk change's body. */
export const withUndo = (answered: string) => ({
  withUndo: Type.Optional(Type.Boolean({ description: `also answers \`${answered}\`, which undoes this` })),
})

/** A row of a revert: its former values, applied if nothing has changed it since. */
export const undoItem = <const S extends TObject>(prefix: string, set: S) =>
  closedObject({
    id: Id(prefix),
    ifUpdatedAt: Timestamp('the `updatedAt` that the row has since the change that is undone'),
    set,
  })

/** The rows of a revert, as a bulk change answers them. */
export const undoItems = <I extends TSchema>(item: I) =>
  Type.Array(item, { minItems: 1, maxItems: MAX_REVERTED, description: 'each row once' })

/** Limits of a body with the rows of a revert. */
export const UNDO_BODY = { bytes: 2_097_152, keys: 12 * MAX_REVERTED + 100 }

/** The reply of a revert: rows that were changed since are skipped. Unknown ids do not count. */
export const Reverted = one(
  closedObject({ updated: Type.Integer({ minimum: 0 }), skipped: Type.Integer({ minimum: 0 }) }),
)

/** 409 for a filter that matches more rows than a bulk change accepts. */
export const TOO_MANY_MATCH = `The filter matches more than ${MAX_TOTAL} rows: narrow it down.`

/** Bytes of a body with pasted lines, including its other fields. */
export const LINES_BODY_BYTES = 2_097_152
/** Bytes reserved in such a body for its other fields. */
export const OTHER_FIELDS_BYTES = 8_192
export const MAX_LINES = 10_000

/** Pasted text with one value per line. Skips blank lines and comments: `#` at the start of a line or after a blank. */
export const Lines = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: LINES_BODY_BYTES - OTHER_FIELDS_BYTES,
    description: `${description}; at most ${MAX_LINES} lines that say something`,
  })
