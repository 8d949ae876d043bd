import { authorOf } from '../../../../platform/auth/actor.ts'
import { asServer } from '../../../../platform/database/transaction.ts'
import { newId } from '../../../../platform/ids.ts'
import type { EngagementPart } from '../../../engagements/parts.ts'
import { lockTitles, settleOpenLinks } from '../../links/links.queries.ts'
import { inParts } from '../../text/in-parts.ts'
import { depthFirst } from '../tree/list-tree.ts'
import { copyLinks, copyPages, copyTexts, listCopied } from './clone.queries.ts'

/**
 * Copies pages with their texts and positions, without history, trash and files. Links by title point to the copies.
 */
export const wikiClone: NonNullable<EngagementPart['clone']> = {
  part: 'wiki',
  copy: async (tx, { actor, clock, from, to }) => {
    const { organizationId } = actor
    const pages = await listCopied(tx, organizationId, from)
    if (pages.length === 0) return undefined
    // Keeps the order of the originals: if two pages have one title, links point to the older.
    const newIds = new Map(pages.map(({ id }) => [id, newId('wik', clock.now())]))
    const shared = { author: authorOf(actor), now: new Date(clock.now()).toISOString() }
    // Parents before the children that refer to them.
    const copied = depthFirst(pages).map(({ id, size }) => ({ id, size, newId: newIds.get(id) as string }))
    const named = (some: typeof copied) => ({
      ...shared,
      ids: some.map(({ id }) => id),
      newIds: some.map((page) => page.newId),
    })
    const all = named(copied)
    const parts = inParts(copied, ({ size }) => size).map(named)
    for (const some of parts) {
      await copyPages(tx, organizationId, to, some, all)
      await copyTexts(tx, organizationId, to, some)
    }
    await lockTitles(tx, organizationId, 'shared')
    for (const some of parts) await copyLinks(tx, organizationId, to, some, all)
    await asServer(tx, () => settleOpenLinks(tx, organizationId, to))
    return undefined
  },
}
