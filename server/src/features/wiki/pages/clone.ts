import { asServer } from '../../../platform/database/transaction.ts'
import { newId } from '../../../platform/ids.ts'
import type { EngagementPart } from '../../engagements/parts.ts'
import { lockTitles, settleOpenLinks } from '../links/links.queries.ts'
import { copyLinks, copyPages, copyTexts, listCopied } from './clone.queries.ts'

/** A statement has two seconds. */
const PAGES_AT_ONCE = 200

/** Pages with their texts and places, without history, trash and files. Links by title name the copies. */
export const wikiClone: NonNullable<EngagementPart['clone']> = {
  part: 'wiki',
  copy: async (tx, { actor, clock, from, to }) => {
    const { organizationId } = actor
    const ids = await listCopied(tx, organizationId, from)
    const newIds = ids.map(() => newId('wik', clock.now()))
    const copied = { ids, newIds, author: actor.kind === 'user' ? actor.id : null, now: new Date(clock.now()).toISOString() }
    if (ids.length === 0) return undefined
    await copyPages(tx, organizationId, to, copied)
    for (let at = 0; at < ids.length; at += PAGES_AT_ONCE) {
      const some = { ...copied, ids: ids.slice(at, at + PAGES_AT_ONCE), newIds: newIds.slice(at, at + PAGES_AT_ONCE) }
      await copyTexts(tx, organizationId, to, some)
    }
    await lockTitles(tx, organizationId, 'shared')
    await copyLinks(tx, organizationId, to, copied)
    await asServer(tx, () => settleOpenLinks(tx, organizationId, to))
    return undefined
  },
}
