import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { requireStorage } from '../../files/storage-quota.service.ts'
import { insertRevisions } from '../history/revisions.queries.ts'
import { claimLinks, saveLinks } from '../links/save-links.service.ts'
import type { PreparedText } from '../text/page-text-task.ts'
import type { PageTexts } from '../text/page-texts.ts'
import { titleKey } from '../text/title-key.ts'
import { lockWritablePage, lockWritableTree, MAX_DEPTH, requireKept } from './access.service.ts'
import * as query from './pages.queries.ts'
import { type PagePosition, positionOf } from './tree/positions.ts'
import { listAncestors, listDescendants } from './tree/tree.queries.ts'

export interface NewPage {
  title: string
  body?: string | undefined
  /** Undefined: that of the parent, or none. */
  engagementId?: string | null | undefined
  parentId?: string | null | undefined
  templateId?: string | null | undefined
}

/**
 * @throws ApiError VALIDATION_ERROR for an unknown or invalid parent, engagement or template, CONFLICT for an archived
 *   engagement, a parent in the trash, or a tree that is full
 */
export const createWikiPage = async (writer: Writer, texts: PageTexts, actor: Actor, wanted: NewPage) => {
  const { organizationId } = actor
  const engagementId = await treeOf(writer, actor, wanted)
  const body = await firstText(writer, organizationId, engagementId, wanted)
  const prepared = (await texts.prepare(actor.organizationId, { title: wanted.title, body })) as PreparedText
  return texts.inTurn(turnOf(actor, engagementId), () =>
    writer.change(async (tx) => {
      await lockWritableTree(tx, actor, engagementId)
      await requirePageQuota(tx, writer, organizationId, engagementId, 1)
      await requireStorage(tx, writer, organizationId, prepared.size)
      const parentId = wanted.parentId ?? null
      if (parentId !== null) await requireParent(tx, organizationId, engagementId, parentId, 1)
      const now = writer.clock.now()
      const page = {
        id: newId('wik', now),
        parentId,
        title: wanted.title,
        position: await positionOf(tx, organizationId, engagementId, { parentId }),
      }
      await insertPage(tx, actor, engagementId, page, prepared, isoTime(now))
      await saveLinks(tx, organizationId, engagementId, { pageId: page.id, references: prepared.references })
      await claimLinks(tx, organizationId, engagementId, [{ titleKey: titleKey(page.title), pageId: page.id }])
      const after = { title: page.title, parentId, size: prepared.size }
      await recordAudit(tx, actor, writer.clock, {
        action: 'page.created',
        object: { type: 'page', id: page.id },
        ...(engagementId && { engagementId }),
        after,
      })
      await announce(tx, { type: 'page', engagementId, ids: [page.id], change: 'created' })
      return readBack(tx, organizationId, page.id)
    }),
  )
}

/** Changes of a tree's structure queue here one after another, without holding a database connection. */
const turnOf = ({ organizationId }: Actor, engagementId: string | null): string => engagementId ?? organizationId

/** The engagement of a new page; null for the organization. */
const treeOf = async (
  { db }: Writer,
  { organizationId }: Actor,
  { engagementId, parentId }: NewPage,
): Promise<string | null> => {
  if (parentId === undefined || parentId === null) return engagementId ?? null
  const parent = await query.findPageSummary(db, organizationId, parentId)
  if (!parent) throw invalid('parentId: must be a page that you can see')
  if (engagementId !== undefined && engagementId !== parent.engagement_id)
    throw invalid('parentId: is a page of another engagement')
  return parent.engagement_id
}

const firstText = async (
  { db }: Writer,
  organizationId: string,
  engagementId: string | null,
  { body, templateId }: NewPage,
): Promise<string> => {
  if (templateId === undefined || templateId === null) return body ?? ''
  if (body !== undefined) throw invalid('templateId: cannot be combined with body')
  const template = await query.findPage(db, organizationId, templateId)
  const isFit =
    template?.is_template &&
    template.trashed_at === null &&
    (template.engagement_id === null || template.engagement_id === engagementId)
  if (!isFit) throw invalid('templateId: must be a template of this engagement or of the organization')
  return template.body
}

/** @throws ApiError CONFLICT if the tree's page quota is exceeded */
export const requirePageQuota = async (
  tx: Database,
  { config }: Pick<Writer, 'config'>,
  organizationId: string,
  engagementId: string | null,
  added: number,
) => {
  const limit = config.WIKI_PAGE_LIMIT
  if ((await query.countPages(tx, organizationId, engagementId)) + added <= limit) return
  throw conflict(`A wiki has at most ${limit} pages (WIKI_PAGE_LIMIT): delete some forever first.`)
}

/**
 * @param levels below the parent
 * @throws ApiError VALIDATION_ERROR if the page is not in the tree, or the tree gets too deep, CONFLICT in the trash
 */
const requireParent = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string | null,
  parentId: string,
  levels: number,
): Promise<string[]> => {
  const parent = await query.findPageSummary(tx, organizationId, parentId)
  if (!parent) throw invalid('parentId: must be a page that you can see')
  if (parent.engagement_id !== engagementId) throw invalid('parentId: is a page of another engagement')
  requireKept(parent)
  const above = await listAncestors(tx, organizationId, parentId)
  if (above.length + levels > MAX_DEPTH) throw invalid(`parentId: pages nest at most ${MAX_DEPTH} levels deep`)
  return above
}

const insertPage = async (
  tx: Transaction,
  actor: Actor,
  engagementId: string | null,
  { id, parentId, title, position }: { id: string; parentId: string | null; title: string; position: string },
  { body, size, words, titleWords }: PreparedText,
  now: string,
): Promise<void> => {
  const { organizationId } = actor
  const author = authorOf(actor)
  const place = { organization_id: organizationId, engagement_id: engagementId }
  const page = {
    ...place,
    id,
    parent_id: parentId,
    title,
    title_key: titleKey(title),
    position,
    revision: 1,
    created_by: author,
    updated_by: author,
  }
  await query.insertPages(tx, [{ ...page, created_at: now, updated_at: now }])
  await insertRevisions(tx, [
    { ...place, page_id: id, revision: 1, body, size, author, created_at: now, edit_started_at: now },
  ])
  await query.saveWords(tx, organizationId, [{ pageId: id, tree: engagementId ?? organizationId, words, titleWords }])
}

/**
 * Moves a page and its descendants within its tree. A move creates no revision.
 *
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR for a cycle, another engagement or a sibling with another parent,
 *   CONFLICT
 */
export const moveWikiPage = async (
  writer: Writer,
  texts: PageTexts,
  actor: Actor,
  pageId: string,
  place: PagePosition,
) => {
  const page = await query.findPageSummary(writer.db, actor.organizationId, pageId)
  if (!page) throw notFound()
  return texts.inTurn(turnOf(actor, page.engagement_id), () => move(writer, actor, pageId, place))
}

const move = (writer: Writer, actor: Actor, pageId: string, place: PagePosition) =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const before = await lockWritablePage(tx, actor, pageId, { shape: true })
    if (place.beforeId !== undefined && place.afterId !== undefined)
      throw invalid('beforeId: cannot be combined with afterId')
    if (place.beforeId === pageId || place.afterId === pageId)
      throw invalid(`${place.beforeId === pageId ? 'beforeId' : 'afterId'}: is the page itself`)
    const { engagement_id: engagementId } = before
    if (place.parentId !== null) {
      const levels = Math.max(...(await listDescendants(tx, organizationId, pageId)).map(({ level }) => level)) + 1
      const above = await requireParent(tx, organizationId, engagementId, place.parentId, levels)
      if (above.includes(pageId)) throw invalid('parentId: is the page itself, or below it')
    }
    const position = await positionOf(tx, organizationId, engagementId, place)
    await query.updatePage(
      tx,
      organizationId,
      pageId,
      { parent_id: place.parentId, position },
      isoTime(writer.clock.now()),
    )
    const change = { before: { parentId: before.parent_id }, after: { parentId: place.parentId } }
    await recordAudit(tx, actor, writer.clock, {
      action: 'page.moved',
      object: { type: 'page', id: pageId },
      ...(engagementId && { engagementId }),
      ...change,
    })
    await announce(tx, { type: 'page', engagementId, ids: [pageId], change: 'moved' })
    return readBack(tx, organizationId, pageId)
  })

/** Reads the current page for the response to a change. */
export const readBack = async (tx: Transaction, organizationId: string, pageId: string) => {
  const page = await query.findPage(tx, organizationId, pageId)
  if (!page) throw notFound()
  return page
}

/** Reads the current page without its text. */
export const readSummary = async (tx: Transaction, organizationId: string, pageId: string) => {
  const page = await query.findPageSummary(tx, organizationId, pageId)
  if (!page) throw notFound()
  return page
}
