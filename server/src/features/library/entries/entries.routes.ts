import * as contract from '@sortie/contract/findings/library.ts'
import { badRequest, notFound } from '../../../platform/errors.ts'
import { readPage } from '../../../platform/http/answers/pages.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { severityOf } from '../../../platform/lists/severities.ts'
import { findVersion, libraryList, listVersions } from './entries.queries.ts'
import { clientDataOf, copyEntry, createEntry, deleteEntry, requireEntry, updateEntry } from './entries.service.ts'
import { toEntry, toHead } from './show-entries.ts'

interface AuthorRow {
  author_id: string | null
  author_name: string | null
}

const authorOf = ({ author_id, author_name }: AuthorRow) =>
  author_id === null ? null : { id: author_id, name: author_name as string }

export const libraryRoutes: Route[] = [
  route(contract.listLibraryEntries, async (context) => {
    const { rows, meta } = await libraryList.page(context, context.query)
    return { data: rows.map(toHead), meta }
  }),

  route(contract.createLibraryEntry, async (context) => {
    const { db, actor, body } = context
    const entry = await createEntry(context, actor, body)
    return { data: toEntry(entry), meta: { clientData: await clientDataOf(db, actor.organizationId, entry) } }
  }),

  route(contract.getLibraryEntry, async ({ db, actor, params }) => {
    const entry = await requireEntry(db, actor.organizationId, params.entryId)
    return { data: toEntry(entry), meta: { clientData: await clientDataOf(db, actor.organizationId, entry) } }
  }),

  route(contract.updateLibraryEntry, async (context) => {
    const { db, actor, params, body } = context
    const entry = await updateEntry(context, actor, params.entryId, body)
    return { data: toEntry(entry), meta: { clientData: await clientDataOf(db, actor.organizationId, entry) } }
  }),

  route(contract.deleteLibraryEntry, async (context) => {
    await deleteEntry(context, context.actor, context.params.entryId)
    return { data: { deleted: true, id: context.params.entryId } }
  }),

  route(contract.copyLibraryEntry, async (context) => ({
    data: toEntry(await copyEntry(context, context.actor, context.params.entryId, context.body.key)),
  })),

  route(contract.listLibraryVersions, async ({ db, actor, params, query }) => {
    if (query.cursor !== undefined && !/^[1-9]\d{0,8}$/.test(query.cursor))
      throw badRequest('cursor: must be a cursor of this list')
    await requireEntry(db, actor.organizationId, params.entryId)
    const read = (before: string | undefined, limit: number) =>
      listVersions(db, actor.organizationId, params.entryId, before === undefined ? undefined : Number(before), limit)
    const { rows, meta } = await readPage(query, undefined, read, ({ version }) => String(version))
    return {
      data: rows.map((row) => ({ version: row.version, author: authorOf(row), createdAt: row.created_at })),
      meta,
    }
  }),

  route(contract.getLibraryVersion, async ({ db, actor, params }) => {
    const row = await findVersion(db, actor.organizationId, params.entryId, Number(params.version))
    if (!row) throw notFound()
    const { version, severity, cvss_vector: cvssVector, rules, texts } = row
    return {
      data: {
        version,
        author: authorOf(row),
        createdAt: row.created_at,
        severity: severityOf(severity),
        cvssVector,
        rules,
        texts,
      },
    }
  }),
]
