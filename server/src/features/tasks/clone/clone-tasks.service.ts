import { generateNKeysBetween } from 'fractional-indexing'
import { authorOf } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { newId } from '../../../platform/ids.ts'
import { copyFields } from '../../custom-fields/field-values.service.ts'
import type { Cloning } from '../../engagements/parts.ts'
import { consumeNumbers } from '../order/numbers.queries.ts'
import { insertCopies, listForCloning } from './clone-tasks.queries.ts'

const BATCH = 500

/**
 * Copies the tasks of one engagement to another that has none: open, unassigned, without links, comments and outcomes.
 */
export const cloneTasks = async (tx: Transaction, { actor, clock, from, to }: Cloning): Promise<undefined> => {
  const { organizationId } = actor
  const now = clock.now()
  const shared = {
    organizationId,
    engagementId: to,
    createdBy: authorOf(actor),
    now: isoTime(now),
  }
  let position: string | null = null
  let after: { position: string; id: string } | undefined
  for (;;) {
    const rows = await listForCloning(tx, organizationId, from, after, BATCH)
    if (rows.length === 0) return undefined
    const positions = generateNKeysBetween(position, null, rows.length)
    const first = await consumeNumbers(tx, organizationId, to, rows.length)
    const copies = rows.map(({ checklist, ...row }, index) => ({
      ...row,
      id: newId('tsk', now),
      number: first + index,
      position: positions[index] as string,
      checklist: checklist.map(({ text }) => ({ id: newId('chk', now), text, done: false })),
    }))
    await insertCopies(tx, shared, copies)
    const pairs = rows.map(({ id }, index) => ({ id, copyId: copies[index]?.id as string }))
    await copyFields(tx, organizationId, to, pairs)
    if (rows.length < BATCH) return undefined
    position = positions.at(-1) ?? null
    after = rows.at(-1)
  }
}
