import type { TEMPLATE_STATES } from '@sortie/contract/reports/report-templates.ts'
import * as contract from '@sortie/contract/reports/report-templates.ts'
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { ReportTemplates, ReportTemplateVersions } from '../../platform/database/types.gen.ts'
import { anyOf, anyOfOrNone, condition, containsFolded } from '../../platform/lists/filters.ts'
import { listQuery } from '../../platform/lists/list.ts'
import { BUILT_IN_SINCE, BUILT_IN_TEMPLATES, type BuiltInTemplate } from './built-in/index.ts'
import type { StoredFile } from './find-template.queries.ts'

/** A template without the texts of its newest version. */
export interface HeadRow {
  id: string
  client_id: string | null
  name: string
  description: string
  version: number
  published_version: number | null
  state: (typeof TEMPLATE_STATES)[number]
  languages: string[]
  docx: StoredFile | null
  built_in: boolean
  created_by: string | null
  creator_name: string | null
  created_at: string
  updated_at: string
}

const headOf = ({ id, name, description, sections }: BuiltInTemplate): HeadRow => ({
  id,
  client_id: null,
  name,
  description,
  version: 1,
  published_version: 1,
  state: 'published',
  languages: Object.keys(sections).toSorted(),
  docx: null,
  built_in: true,
  created_by: null,
  creator_name: null,
  created_at: BUILT_IN_SINCE,
  updated_at: BUILT_IN_SINCE,
})

const BUILT_IN_HEADS = BUILT_IN_TEMPLATES.map(headOf)
const BUILT_INS = JSON.stringify(BUILT_IN_HEADS)

/**
 * A template of a client is seen by those who see the client, whose own policy applies within. A key that is limited to
 * engagements sees only built-in ones.
 */
const isSeen = (table: string) => sql<SqlBool>`(current_setting('sortie.viewer', true) not like 'key\\_%'
  and (${sql.ref(`${table}.client_id`)} is null or exists (select from clients c
    where c.organization_id = ${sql.ref(`${table}.organization_id`)} and c.id = ${sql.ref(`${table}.client_id`)})))`

const STATE = sql<HeadRow['state']>`case when t.version = t.published_version then 'published' else 'draft' end`
const LANGUAGES = sql<string[]>`array(select jsonb_object_keys(v.sections) order by 1)`
const DOCX = sql<StoredFile | null>`v.docx`

type ListedRow = Omit<HeadRow, 'creator_name'> & { searched: string }

/** The organization's own templates that the caller sees, and the built-in ones. */
const selectHeads = (db: Database, organizationId: string) => {
  const all = sql<ListedRow>`(
    select t.id, t.client_id, t.name::text as name, t.description, t.version, t.published_version, ${STATE} as state, ${LANGUAGES} as languages, ${DOCX} as docx,
      false as built_in, t.created_by, t.created_at, t.updated_at, t.searched
    from report_templates t join report_template_versions v
      on v.organization_id = t.organization_id and v.template_id = t.id and v.version = t.version
    where t.organization_id = ${organizationId} and ${isSeen('t')}
    union all
    select id, client_id, name, description, version, published_version, state, languages, docx, true, created_by, created_at, updated_at, lower(name)
    from jsonb_to_recordset(${BUILT_INS}::jsonb) as b (id text, client_id text, name text, description text, version integer,
      published_version integer, state text, languages text[], docx jsonb, created_by text, created_at timestamptz(3), updated_at timestamptz(3)))`
  return db
    .selectFrom(all.as('t'))
    .leftJoin('users as u', 'u.id', 't.created_by')
    .select([
      't.id',
      't.client_id',
      't.name',
      't.description',
      't.version',
      't.published_version',
      't.state',
      't.languages',
      't.docx',
      't.built_in',
      't.created_by',
      't.created_at',
      't.updated_at',
      'u.name as creator_name',
    ])
}

export const templateList = listQuery(contract.templateList, {
  rows: selectHeads,
  id: sql`t.id collate "C"`,
  sorts: { createdAt: 't.created_at', updatedAt: 't.updated_at', name: sql`t.name collate names` },
  filters: {
    clientId: anyOfOrNone('t.client_id'),
    state: anyOf('t.state'),
    usable: condition((isWanted: boolean) => sql<SqlBool>`(t.published_version is not null) = ${isWanted}`),
    q: containsFolded('t.searched'),
  },
})

const selectOwn = (db: Database, organizationId: string, templateId: string) =>
  db
    .selectFrom('report_templates as t')
    .innerJoin('report_template_versions as v', (join) =>
      join
        .onRef('v.organization_id', '=', 't.organization_id')
        .onRef('v.template_id', '=', 't.id')
        .onRef('v.version', '=', 't.version'),
    )
    .leftJoin('users as u', 'u.id', 't.created_by')
    .select([
      't.id',
      't.client_id',
      't.name',
      't.description',
      't.version',
      't.published_version',
      't.created_by',
      't.created_at',
      't.updated_at',
      'u.name as creator_name',
      STATE.as('state'),
      LANGUAGES.as('languages'),
      DOCX.as('docx'),
      sql<boolean>`false`.as('built_in'),
    ])
    .where('t.organization_id', '=', organizationId)
    .where('t.id', '=', templateId)
    .where(isSeen('t'))

/** A template that the caller sees, own or built in. */
export const findHead = (db: Database, organizationId: string, templateId: string): Promise<HeadRow | undefined> => {
  const builtIn = BUILT_IN_HEADS.find(({ id }) => id === templateId)
  return builtIn
    ? Promise.resolve(structuredClone(builtIn))
    : selectOwn(db, organizationId, templateId).executeTakeFirst()
}

/** Locks one of the organization's own for a change of its columns: reports can be created with it meanwhile. */
export const lockTemplate = async (
  tx: Transaction,
  organizationId: string,
  templateId: string,
): Promise<HeadRow | undefined> => {
  await tx
    .selectFrom('report_templates')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', templateId)
    .forNoKeyUpdate()
    .execute()
  return selectOwn(tx, organizationId, templateId).executeTakeFirst()
}

/** Locks a template for its deletion: no report can take it meanwhile. */
export const lockForDeletion = async (
  tx: Transaction,
  organizationId: string,
  templateId: string,
): Promise<HeadRow | undefined> => {
  await tx
    .selectFrom('report_templates')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', templateId)
    .forUpdate()
    .execute()
  return selectOwn(tx, organizationId, templateId).executeTakeFirst()
}

export const countTemplates = async (tx: Transaction, organizationId: string): Promise<number> => {
  const row = await tx
    .selectFrom('report_templates')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return row.count
}

export const insertTemplate = async (tx: Transaction, row: Insertable<ReportTemplates>): Promise<void> => {
  await tx.insertInto('report_templates').values(row).execute()
}

export const updateTemplate = async (
  tx: Transaction,
  organizationId: string,
  templateId: string,
  templateColumns: Updateable<ReportTemplates>,
): Promise<void> => {
  await tx
    .updateTable('report_templates')
    .set(templateColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', templateId)
    .execute()
}

/** Its versions and the rows of its files go with it. */
export const deleteTemplate = async (tx: Transaction, organizationId: string, templateId: string): Promise<void> => {
  await tx
    .deleteFrom('report_templates')
    .where('organization_id', '=', organizationId)
    .where('id', '=', templateId)
    .execute()
}

export const insertVersion = async (tx: Transaction, row: Insertable<ReportTemplateVersions>): Promise<void> => {
  await tx.insertInto('report_template_versions').values(row).execute()
}

/** Only of a draft: the database refuses to change a published version. */
export const updateVersion = async (
  tx: Transaction,
  organizationId: string,
  templateId: string,
  version: number,
  versionColumns: Updateable<ReportTemplateVersions>,
): Promise<void> => {
  await tx
    .updateTable('report_template_versions')
    .set(versionColumns)
    .where('organization_id', '=', organizationId)
    .where('template_id', '=', templateId)
    .where('version', '=', version)
    .execute()
}

/** Reports whether a version of a template names this file. */
export const findIsFileUsed = async (
  tx: Transaction,
  organizationId: string,
  templateId: string,
  fileId: string,
): Promise<boolean> => {
  const row = await tx
    .selectFrom('report_template_versions')
    .select('version')
    .where('organization_id', '=', organizationId)
    .where('template_id', '=', templateId)
    .where(
      sql<SqlBool>`(docx ->> 'fileId' = ${fileId} or logo ->> 'fileId' = ${fileId} or fonts @> jsonb_build_array(jsonb_build_object('fileId', ${fileId}::text)))`,
    )
    .executeTakeFirst()
  return row !== undefined
}

/** Reports whether the caller sees a client. */
export const findIsClient = async (db: Database, organizationId: string, clientId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('clients')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', clientId)
    .executeTakeFirst()
  return row !== undefined
}
