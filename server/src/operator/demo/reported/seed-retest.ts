import { updateRetestItem } from '../../../features/retests/items.service.ts'
import { retestItemList } from '../../../features/retests/retests.queries.ts'
import { createRetest, updateRetest } from '../../../features/retests/retests.service.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'

/** Outcomes of the first items; the others are to do. */
const OUTCOMES = [
  ['fixed', 'Answers 403 for both roles.'],
  ['fixed', ''],
  ['open', 'Ten thousand attempts in a minute, none was refused.'],
  ['partly_fixed', 'The session ends in the browser, not on the other devices.'],
  ['fixed', ''],
] as const

/** A retest of an engagement that is under way: five days, of which it is the third. */
export const seedRetest = async (
  daysAgo: (days: number) => Writer,
  dayFromNow: (days: number) => string,
  [lead, mate]: readonly [Actor, Actor],
  engagementId: string,
): Promise<void> => {
  const filter = { engagementId, status: ['open' as const, 'partly_fixed' as const] }
  const { id } = await createRetest(daysAgo(9), lead, {
    engagementId,
    name: 'Retest of last year’s findings',
    startsOn: dayFromNow(-2),
    endsOn: dayFromNow(2),
    filter,
  })
  await updateRetest(daysAgo(2), lead, id, { state: 'running' })
  const { db, keys } = daysAgo(0)
  const { rows } = await retestItemList.page(
    { db, keys, actor: lead },
    { retestId: id, order: 'asc', perPage: OUTCOMES.length },
  )
  for (const [index, { id: itemId }] of rows.entries()) {
    const [outcome, note] = OUTCOMES[index] ?? ['fixed', '']
    await updateRetestItem(daysAgo(1.5 - index / 10), index % 2 === 0 ? mate : lead, id, itemId, { outcome, note })
  }
}
