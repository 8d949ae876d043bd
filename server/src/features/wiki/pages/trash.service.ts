import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import { plainChange } from '../../../platform/database/change.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, forbidden } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { TRASH_LIFETIME_MS } from '../../../platform/lists/trash.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { removeBytesJob } from '../../files/files.jobs.ts'
import { deleteFilesOf } from '../../files/files.service.ts'
import { deleteJoinedBefore } from '../history/revisions.queries.ts'
import { claimLinks, releaseLinks } from '../links/save-links.service.ts'
import { inParts } from '../text/in-parts.ts'
import type { PreparedText } from '../text/page-text-task.ts'
import type { PageTexts } from '../text/page-texts.ts'
import { lockVisiblePage } from './access.service.ts'
import { listTexts, saveWords, updatePage } from './pages.queries.ts'
import { readBack } from './pages.service.ts'
import { BASE_LIFETIME_MS } from './save.service.ts'
import { lockTree, positionOf } from './tree/positions.ts'
import {
  type Descendant,
  deletePages,
  deleteWords,
  listDescendants,
  listOldTrash,
  setTrashed,
} from './tree/tree.queries.ts'

/** Statement timeout: two seconds, and deleting pages deletes their history. */
const PAGES_AT_ONCE = 100
const TEXTS_READ_AT_ONCE = 50
const TEXTS_DELETED_AT_ONCE = 2_000
const ROWS_AT_ONCE = 500

/**
 * Moves a page and its descendants to the trash. @throws ApiError NOT_FOUND, CONFLICT if it is already there, or
 * archived
 */
export const deleteWikiPage = (writer: Writer, actor: Actor, pageId: string): Promise<void> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const page = await lockVisiblePage(tx, actor, pageId, { shape: true })
    if (page.trashed_at !== null) throw conflict('This page is already in the trash.')
    const { engagement_id: engagementId } = page
    // Descendants that are already in the trash are excluded: they were deleted separately.
    const ids = (await listDescendants(tx, organizationId, pageId))
      .filter(({ trash_root_id }) => trash_root_id === null)
      .map(({ id }) => id)
    const now = isoTime(writer.clock.now())
    for (const some of inRows(ids)) {
      await setTrashed(tx, organizationId, some, pageId, now)
      await deleteWords(tx, organizationId, some)
    }
    const before = { title: page.title, pages: ids.length }
    await recordAudit(tx, actor, writer.clock, {
      action: 'page.trashed',
      object: { type: 'page', id: pageId },
      ...(engagementId && { engagementId }),
      before,
    })
    await announce(tx, { type: 'page', engagementId, ids, change: 'deleted' })
  })

/**
 * Restores a page and the descendants that were deleted with it.
 *
 * @throws ApiError NOT_FOUND, CONFLICT if it is not in the trash, or archived
 */
export const restoreWikiPage = (writer: Writer, texts: PageTexts, actor: Actor, pageId: string) =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const page = await lockVisiblePage(tx, actor, pageId, { shape: true })
    if (page.trashed_at === null) throw conflict('This page is not in the trash.')
    const { engagement_id: engagementId } = page
    const restored = wentTogether(await listDescendants(tx, organizationId, pageId))
    const ids = restored.map(({ id }) => id)
    const now = isoTime(writer.clock.now())
    const parent = page.parent_id === null ? undefined : await readBack(tx, organizationId, page.parent_id)
    if (parent && parent.trashed_at !== null) {
      const position = await positionOf(tx, organizationId, engagementId, { parentId: null })
      await updatePage(tx, organizationId, pageId, { parent_id: null, position }, now)
    }
    for (const some of inRows(ids)) await setTrashed(tx, organizationId, some, null, now)
    await saveWordsOf(tx, texts, organizationId, engagementId, restored)
    const titles = restored.map(({ id, title_key }) => ({ pageId: id, titleKey: title_key }))
    await claimLinks(tx, organizationId, engagementId, titles)
    const after = { title: page.title, pages: ids.length }
    await recordAudit(tx, actor, writer.clock, {
      action: 'page.restored',
      object: { type: 'page', id: pageId },
      ...(engagementId && { engagementId }),
      after,
    })
    await announce(tx, { type: 'page', engagementId, ids, change: 'created' })
    return readBack(tx, organizationId, pageId)
  })

const inRows = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / ROWS_AT_ONCE) }, (_, part) =>
    ids.slice(part * ROWS_AT_ONCE, (part + 1) * ROWS_AT_ONCE),
  )

/** Pages in the trash have no search words: restored pages get them again from their texts. */
const saveWordsOf = async (
  tx: Transaction,
  texts: PageTexts,
  organizationId: string,
  engagementId: string | null,
  pages: readonly Descendant[],
) => {
  const tree = engagementId ?? organizationId
  for (let at = 0; at < pages.length; at += TEXTS_READ_AT_ONCE) {
    const some = pages.slice(at, at + TEXTS_READ_AT_ONCE)
    const ids = some.map(({ id }) => id)
    const bodies = await listTexts(tx, organizationId, ids)
    const prepared = []
    // One after another, so that users who save a page need not wait for all of them.
    for (const { id, title } of some)
      prepared.push({
        pageId: id,
        text: (await texts.prepare(organizationId, { title, body: bodies.get(id) ?? '' })) as PreparedText,
      })
    for (const part of inParts(prepared, ({ text }) => text.body.length)) {
      const words = part.map(({ pageId, text }) => ({ pageId, tree, words: text.words, titleWords: text.titleWords }))
      await saveWords(tx, organizationId, words)
    }
  }
}

/**
 * Filters a trashed page and its descendants to those of the same deletion. None of them is below a page of another
 * deletion.
 */
const wentTogether = (pages: readonly Descendant[]): Descendant[] =>
  pages.filter(({ trash_root_id }) => trash_root_id === pages[0]?.trash_root_id)

/**
 * Deletes a page, its descendants, their history and files.
 *
 * @throws ApiError FORBIDDEN for keys and members, NOT_FOUND, CONFLICT in an archived engagement
 */
export const deleteForEver = async (writer: Writer, actor: Actor, pageId: string): Promise<void> => {
  if (actor.role !== 'owner' && actor.role !== 'admin')
    throw forbidden('Only the owner or an admin may delete a page forever, in the web interface.')
  await writer.change(async (tx) => {
    const page = await lockVisiblePage(tx, actor, pageId, { shape: true })
    const { engagement_id: engagementId } = page
    const ids = await removeSubtree(tx, actor.organizationId, pageId)
    await writer.jobs.enqueue(tx, removeBytesJob, {})
    const before = { title: page.title, pages: ids.length }
    await recordAudit(tx, actor, writer.clock, {
      action: 'page.deleted',
      object: { type: 'page', id: pageId },
      ...(engagementId && { engagementId }),
      before,
    })
    await announce(tx, { type: 'page', engagementId, ids, change: 'deleted' })
  })
}

/** Deletes from the deepest level up, in batches. @returns their ids */
const removeSubtree = async (tx: Transaction, organizationId: string, pageId: string): Promise<string[]> => {
  const ids = (await listDescendants(tx, organizationId, pageId)).map(({ id }) => id).toReversed()
  for (let at = 0; at < ids.length; at += PAGES_AT_ONCE) {
    const some = ids.slice(at, at + PAGES_AT_ONCE)
    await deleteFilesOf(tx, organizationId, 'page', some)
    await deletePages(tx, organizationId, some)
  }
  await releaseLinks(tx, organizationId, ids)
  return ids
}

/** Every hour: deletes pages that were in the trash for 30 days, and squashed texts that are no longer needed. */
export const cleanWiki = async ({ clock, db, scopedTo }: Platform): Promise<void> => {
  const before = isoTime(clock.now() - TRASH_LIFETIME_MS)
  for (let found = PAGES_AT_ONCE; found === PAGES_AT_ONCE;) {
    const old = await listOldTrash(db, before, PAGES_AT_ONCE)
    for (const page of old) await removeOld(scopedTo(page.organization_id), { clock }, page)
    found = old.length
  }
  const replaced = isoTime(clock.now() - BASE_LIFETIME_MS)
  for (let deleted = TEXTS_DELETED_AT_ONCE; deleted === TEXTS_DELETED_AT_ONCE;)
    deleted = await deleteJoinedBefore(db, replaced, TEXTS_DELETED_AT_ONCE)
}

type OldPage = Awaited<ReturnType<typeof listOldTrash>>[number]

const removeOld = (db: Database, { clock }: Pick<Platform, 'clock'>, page: OldPage): Promise<void> =>
  plainChange(db)(async (tx) => {
    const { organization_id: organizationId, engagement_id: engagementId } = page
    await lockTree(tx, organizationId, engagementId)
    // The page may have been restored or deleted since it was listed.
    const [top] = await listDescendants(tx, organizationId, page.id)
    if (top?.trash_root_id !== page.id) return
    const ids = await removeSubtree(tx, organizationId, page.id)
    await recordAudit(tx, { system: 'trash of the wiki', organizationId }, clock, {
      action: 'page.deleted',
      object: { type: 'page', id: page.id },
      ...(engagementId && { engagementId }),
      before: { title: page.title, pages: ids.length },
    })
    await announce(tx, { type: 'page', engagementId, ids, change: 'deleted' })
  })
