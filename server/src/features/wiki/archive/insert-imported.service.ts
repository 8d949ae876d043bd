import { generateNKeysBetween } from 'fractional-indexing'
import { authorOf, type Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { announce } from '../../../platform/events/announce.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { changeWithFiles, requireStorage } from '../../files/storage-quota.service.ts'
import { type NewFile, recordFiles } from '../../files/storage/unpacked-files.service.ts'
import { insertRevisions } from '../history/revisions.queries.ts'
import { addLinks, claimLinks } from '../links/save-links.service.ts'
import { lockWritableTree } from '../pages/access.service.ts'
import { insertPages, saveWords } from '../pages/pages.queries.ts'
import { requirePageQuota } from '../pages/pages.service.ts'
import { findLastPosition } from '../pages/tree/tree.queries.ts'
import { inParts } from '../text/in-parts.ts'
import type { PreparedText } from '../text/page-text-task.ts'
import { titleKey } from '../text/title-key.ts'
import type { PlannedPage } from './plan.ts'

interface Prepared {
  page: PlannedPage
  text: PreparedText
}

/** Stores the imported pages in one transaction, after the top-level pages of the tree. */
export const insertImported = (
  writer: Writer,
  actor: Actor,
  engagementId: string | null,
  pages: readonly Prepared[],
  files: readonly (NewFile & { ownerId: string })[],
): Promise<void> =>
  changeWithFiles(writer, actor, async (tx) => {
    const { organizationId } = actor
    await lockWritableTree(tx, actor, engagementId)
    await requirePageQuota(tx, writer, organizationId, engagementId, pages.length)
    const size = pages.reduce((sum, { text }) => sum + text.size, 0)
    await requireStorage(tx, writer, organizationId, size)
    const last = (await findLastPosition(tx, organizationId, engagementId, null)) ?? null
    const top = pages
      .filter(({ page }) => page.parent === undefined)
      .toSorted((a, b) => (a.page.position < b.page.position ? -1 : 1))
    const keys = generateNKeysBetween(last, null, top.length)
    const keyOf = new Map(top.map(({ page }, index) => [page.id, keys[index] as string]))
    const now = isoTime(writer.clock.now())
    const author = authorOf(actor)
    const place = { organization_id: organizationId, engagement_id: engagementId }
    for (const some of inParts(pages, ({ text }) => text.body.length)) {
      await insertPages(
        tx,
        some.map(({ page: { id, parent, title, position, isTemplate } }) => ({
          ...place,
          id,
          parent_id: parent?.id ?? null,
          title,
          title_key: titleKey(title),
          position: keyOf.get(id) ?? position,
          revision: 1,
          is_template: isTemplate,
          created_by: author,
          updated_by: author,
          created_at: now,
          updated_at: now,
        })),
      )
      await insertRevisions(
        tx,
        some.map(({ page: { id }, text: { body, size } }) => ({
          ...place,
          page_id: id,
          revision: 1,
          body,
          size,
          author,
          created_at: now,
          edit_started_at: now,
        })),
      )
      const tree = engagementId ?? organizationId
      await saveWords(
        tx,
        organizationId,
        some.map(({ page: { id }, text: { words, titleWords } }) => ({ pageId: id, tree, words, titleWords })),
      )
    }
    const linked = pages.map(({ page: { id }, text: { references } }) => ({ pageId: id, references }))
    await addLinks(tx, organizationId, engagementId, linked)
    const titles = pages.map(({ page: { id, title } }) => ({ titleKey: titleKey(title), pageId: id }))
    await claimLinks(tx, organizationId, engagementId, titles)
    await recordFiles(tx, writer, actor, { type: 'page', engagementId }, files)
    const after = { pages: pages.length, files: files.length }
    const object =
      engagementId === null ? { type: 'organization', id: organizationId } : { type: 'engagement', id: engagementId }
    await recordAudit(tx, actor, writer.clock, {
      action: 'wiki.imported',
      object,
      ...(engagementId && { engagementId }),
      after,
    })
    const ids = pages.map(({ page: { id } }) => id)
    await announce(tx, { type: 'page', engagementId, ids, change: 'created' })
  })
