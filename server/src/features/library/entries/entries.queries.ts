import type { Severity } from '@sortie/contract/core/values.ts'
import type { LibraryRules, LibraryTextValue } from '@sortie/contract/findings/library-fields.ts'
import * as contract from '@sortie/contract/findings/library.ts'
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { LibraryEntries, LibraryVersions } from '../../../platform/database/types.gen.ts'
import { type FieldValues, fieldsOf, hasFields } from '../../../platform/fields/field-values.ts'
import { anyIn, anyOf, condition, contains, type Filter, isOneOf } from '../../../platform/lists/filters.ts'
import { listQuery } from '../../../platform/lists/list.ts'
import { weightOf } from '../../../platform/lists/severities.ts'
import { BUILT_IN_ENTRIES, type KnownEntry } from '../built-in/known-entries.ts'

export type Rules = Static<typeof LibraryRules>
export type Texts = Record<string, LibraryTextValue>

/** An entry without its texts. */
export interface HeadRow {
  id: string
  engagement_id: string | null
  finding_id: string | null
  key: string
  state: 'draft' | 'proposed' | 'approved'
  version: number
  title: string
  languages: string[]
  severity: number
  cvss_vector: string | null
  cwe: string[]
  owasp: string[]
  wstg: string[]
  attack: string[]
  tags: string[]
  main_language: string
  tools: string[]
  built_in: boolean
  created_by: string | null
  created_at: string
  updated_at: string
  creator_name: string | null
  used_count: number
  fields: FieldValues
}

export interface EntryRow extends HeadRow {
  rules: Rules
  guidance: string
  texts: Texts
}

/** A key that is limited to engagements sees only built-in entries. */
const isSeen = sql<boolean>`current_setting('sortie.viewer', true) not like 'key\\_%'`

/** When the built-in entries were written. */
const SINCE = '2026-11-26T00:00:00.000Z'

const rowOf = ({ id, key, severity, cvssVector, rules, guidance, mainLanguage, texts, ...ids }: KnownEntry) => ({
  id,
  engagement_id: null,
  finding_id: null,
  key,
  state: 'approved' as const,
  version: 1,
  title: texts[mainLanguage].title,
  languages: Object.keys(texts).toSorted(),
  severity: weightOf(severity),
  cvss_vector: cvssVector,
  cwe: [...ids.cwe],
  owasp: [...ids.owasp],
  wstg: [...ids.wstg],
  attack: [...ids.attack],
  tags: [...ids.tags],
  main_language: mainLanguage,
  tools: [...new Set(rules.map(({ tool }) => tool))],
  built_in: true,
  created_by: null,
  created_at: SINCE,
  updated_at: SINCE,
  whole: {
    rules: rules.map((rule) => ({ ...rule })),
    guidance,
    texts: Object.fromEntries(
      Object.entries(texts).map(([language, text]) => [language, { ...text, references: [...text.references] }]),
    ),
  },
})

const BUILT_INS = BUILT_IN_ENTRIES.map(rowOf)
const BUILT_IN_HEADS = JSON.stringify(BUILT_INS.map(({ whole: _, ...head }) => head))

const HEADS = [
  'id',
  'engagement_id',
  'finding_id',
  'key',
  'state',
  'version',
  'title',
  'severity',
  'cvss_vector',
  'cwe',
  'owasp',
  'wstg',
  'attack',
  'tags',
  'main_language',
  'created_by',
  'created_at',
  'updated_at',
] as const
const OWN_HEADS = sql.join(HEADS.map((column) => sql.ref(column)))

/** Names of the languages of `texts`. */
const LANGUAGES = sql<string[]>`array(select jsonb_object_keys(texts) order by 1)`
const TOOLS = sql<string[]>`array(select distinct rule ->> 'tool' from jsonb_array_elements(rules) as rule)`

interface ListedRow extends Omit<HeadRow, 'creator_name' | 'used_count' | 'fields'> {
  organization_id: string
}

/** The organization's own entries that the caller sees, and the built-in ones. */
const selectHeads = (db: Database, organizationId: string) => {
  const all = sql<ListedRow>`(
    select ${OWN_HEADS}, organization_id, ${LANGUAGES} as languages, ${TOOLS} as tools, false as built_in
    from library_entries where organization_id = ${organizationId} and ${isSeen}
    union all
    select ${OWN_HEADS}, ${organizationId}, languages, tools, true from jsonb_to_recordset(${BUILT_IN_HEADS}::jsonb)
      as b (id text, engagement_id text, finding_id text, key text, state text, version integer, title text, severity smallint, cvss_vector text,
        cwe text[], owasp text[], wstg text[], attack text[], tags text[], main_language text, created_by text, created_at timestamptz(3),
        updated_at timestamptz(3), languages text[], tools text[]))`
  return db
    .selectFrom(all.as('l'))
    .leftJoin('users as u', 'u.id', 'l.created_by')
    .select([
      ...HEADS.map((column) => `l.${column}` as const),
      'l.languages',
      'l.tools',
      'l.built_in',
      'u.name as creator_name',
    ])
    .select([usedCountOf('l').as('used_count'), fieldsOf('l').as('fields')])
}

const usedCountOf = (table: string) =>
  sql<number>`(select count(*) from findings f where f.organization_id = ${sql.ref(`${table}.organization_id`)} and f.library_entry_id = ${sql.ref(`${table}.id`)})`

const bySeverity: Filter = condition((words: readonly Severity[]) =>
  isOneOf(sql.ref('l.severity'), words.map(weightOf)),
)

export const libraryList = listQuery(contract.libraryList, {
  rows: selectHeads,
  id: sql`l.id collate "C"`,
  sorts: {
    createdAt: 'l.created_at',
    updatedAt: 'l.updated_at',
    key: sql`l.key collate "C"`,
    title: sql`l.title collate names`,
    severity: 'l.severity',
  },
  filters: {
    state: anyOf('l.state'),
    severity: bySeverity,
    cwe: anyIn('l.cwe'),
    tag: anyIn('l.tags'),
    tool: anyIn('l.tools'),
    language: anyIn('l.languages'),
    builtIn: condition((isWanted: boolean) => sql<SqlBool>`l.built_in = ${isWanted}`),
    field: hasFields('library_entry', 'l'),
    q: contains('l.title', 'l.key'),
  },
})

const selectOwn = (db: Database, organizationId: string) =>
  db
    .selectFrom('library_entries as l')
    .leftJoin('users as u', 'u.id', 'l.created_by')
    .select([...HEADS.map((column) => `l.${column}` as const), 'l.guidance', 'u.name as creator_name'])
    .select(({ ref }) => [
      ref('l.rules').$castTo<Rules>().as('rules'),
      ref('l.texts').$castTo<Texts>().as('texts'),
      LANGUAGES.as('languages'),
      TOOLS.as('tools'),
      sql<boolean>`false`.as('built_in'),
      usedCountOf('l').as('used_count'),
      fieldsOf('l').as('fields'),
    ])
    .where('l.organization_id', '=', organizationId)
    .where(isSeen)

/** An entry with its texts, own or built-in. */
export const findEntry = async (
  db: Database,
  organizationId: string,
  entryId: string,
): Promise<EntryRow | undefined> => {
  const builtIn = BUILT_INS.find(({ id }) => id === entryId)
  if (!builtIn) return selectOwn(db, organizationId).where('l.id', '=', entryId).executeTakeFirst()
  const { whole, ...head } = builtIn
  const { used_count } = await db
    .selectFrom('findings')
    .select(({ fn }) => fn.countAll<number>().as('used_count'))
    .where('organization_id', '=', organizationId)
    .where('library_entry_id', '=', entryId)
    .executeTakeFirstOrThrow()
  return { ...structuredClone({ ...head, ...whole }), creator_name: null, used_count, fields: {} }
}

/** Locks one of the organization's own for a change. */
export const lockEntry = async (
  tx: Transaction,
  organizationId: string,
  entryId: string,
): Promise<EntryRow | undefined> => {
  await tx
    .selectFrom('library_entries')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', entryId)
    .forUpdate()
    .execute()
  return selectOwn(tx, organizationId).where('l.id', '=', entryId).executeTakeFirst()
}

/** Own entries by key, without proposals of engagements. */
export const listOwnByKey = (db: Database, organizationId: string, keys: readonly string[]): Promise<EntryRow[]> =>
  selectOwn(db, organizationId)
    .where('l.engagement_id', 'is', null)
    .where(sql<boolean>`l.key = any(${keys})`)
    .execute()

/** All own entries that the caller sees, for an export. */
export const listOwn = (db: Database, organizationId: string, afterKey: string, limit: number): Promise<EntryRow[]> =>
  selectOwn(db, organizationId)
    .where('l.engagement_id', 'is', null)
    .where('l.key', '>', afterKey)
    .orderBy('l.key')
    .limit(limit)
    .execute()

/** What decides whether own approved entries describe results. */
export const listApproved = (db: Database, organizationId: string) =>
  db
    .selectFrom('library_entries')
    .select(['id', 'key', 'cwe', 'main_language', 'title'])
    .select(({ ref }) => ref('rules').$castTo<Rules>().as('rules'))
    .select(
      sql<Record<string, string>>`(select jsonb_object_agg(t.key, t.value ->> 'title') from jsonb_each(texts) as t)`.as(
        'titles',
      ),
    )
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'approved')
    .where(isSeen)
    .execute()

/** Counting stops at `max`. */
export const countEntries = async (tx: Transaction, organizationId: string, max: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select from library_entries where organization_id = ${organizationId} limit ${max}) counted`.execute(tx)
  return rows[0]?.count ?? 0
}

/** @returns true if another entry of the library has this key; a proposal reserves none */
export const findIsKeyTaken = async (
  tx: Transaction,
  organizationId: string,
  key: string,
  exceptId: string,
): Promise<boolean> => {
  const row = await tx
    .selectFrom('library_entries')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('key', '=', key)
    .where('engagement_id', 'is', null)
    .where('id', '<>', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

export const insertEntry = async (tx: Transaction, row: Insertable<LibraryEntries>): Promise<void> => {
  await tx.insertInto('library_entries').values(row).execute()
}

export const updateEntry = async (
  tx: Transaction,
  organizationId: string,
  entryId: string,
  entryColumns: Updateable<LibraryEntries>,
): Promise<void> => {
  await tx
    .updateTable('library_entries')
    .set(entryColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', entryId)
    .execute()
}

export const deleteEntry = async (tx: Transaction, organizationId: string, entryId: string): Promise<void> => {
  await tx
    .deleteFrom('library_entries')
    .where('organization_id', '=', organizationId)
    .where('id', '=', entryId)
    .execute()
}

export const insertVersion = async (tx: Transaction, version: Insertable<LibraryVersions>): Promise<void> => {
  await tx.insertInto('library_versions').values(version).execute()
}

const selectVersions = (db: Database, organizationId: string, entryId: string) =>
  db
    .selectFrom('library_versions as v')
    // Only of entries that the caller sees.
    .innerJoin('library_entries as l', (join) =>
      join.onRef('l.organization_id', '=', 'v.organization_id').onRef('l.id', '=', 'v.entry_id'),
    )
    .leftJoin('users as u', 'u.id', 'v.author')
    .select(['v.version', 'v.author as author_id', 'u.name as author_name', 'v.created_at'])
    .where('v.organization_id', '=', organizationId)
    .where('v.entry_id', '=', entryId)
    .where(isSeen)

export const listVersions = (
  db: Database,
  organizationId: string,
  entryId: string,
  before: number | undefined,
  limit: number,
) =>
  selectVersions(db, organizationId, entryId)
    .$if(before !== undefined, (rows) => rows.where('v.version', '<', before as number))
    .orderBy('v.version', 'desc')
    .limit(limit)
    .execute()

export const findVersion = (db: Database, organizationId: string, entryId: string, version: number) =>
  selectVersions(db, organizationId, entryId)
    .select(({ ref }) => [
      'v.severity',
      'v.cvss_vector',
      ref('v.rules').$castTo<Rules>().as('rules'),
      ref('v.texts').$castTo<Texts>().as('texts'),
    ])
    .where('v.version', '=', version)
    .executeTakeFirst()

/** Languages in which an engagement's client and the organization are written to, in this order. */
export const listLanguages = async (db: Database, organizationId: string, engagementId: string): Promise<string[]> => {
  const { rows } = await sql<{ client: string | null; own: string | null }>`
    select (select c.language from engagements e join clients c on c.organization_id = e.organization_id and c.id = e.client_id
        where e.organization_id = ${organizationId} and e.id = ${engagementId}) as client,
      (select s.language from report_settings s where s.organization_id = ${organizationId}) as own`.execute(db)
  const { client, own } = rows[0] ?? { client: null, own: null }
  return [...(client === null ? [] : [client]), own ?? 'en']
}
