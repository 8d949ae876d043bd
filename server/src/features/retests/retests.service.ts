import type { Body } from '@sortie/contract/core/endpoint.ts'
import type * as contract from '@sortie/contract/findings/retests.ts'
import { MAX_RETEST_ITEMS, RETEST_STATES } from '@sortie/contract/findings/retests.ts'
import { authorOf, type Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { announce, type EventChange } from '../../platform/events/announce.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { asBodyFieldError, lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import { findingList } from '../findings/findings.queries.ts'
import * as query from './retests.queries.ts'

const MAX_RETESTS = 1_000
/** Rows per statement. */
const AT_ONCE = 1_000

/**
 * @throws ApiError VALIDATION_ERROR for invalid days and findings of another engagement, CONFLICT if archived and
 *   beyond the limits
 */
export const createRetest = (
  writer: Writer,
  actor: Actor,
  wanted: Body<typeof contract.createRetest>,
): Promise<query.RetestRow> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const { organizationId } = actor
    const { engagementId, name, startsOn = null, endsOn = null, findingIds, filter } = wanted
    await asBodyFieldError(lockWritableEngagementForShare(tx, actor, engagementId))
    requireDays(startsOn, endsOn)
    if ((await query.countRetests(tx, organizationId, engagementId, MAX_RETESTS)) >= MAX_RETESTS) {
      throw conflict(`An engagement has at most ${MAX_RETESTS} retests.`)
    }
    const findings = await readFindings(tx, actor, engagementId, findingIds, filter)
    const places = await query.listPlaces(tx, organizationId, findings, MAX_RETEST_ITEMS + 1)
    if (places.length > MAX_RETEST_ITEMS) throw conflict(`A retest has at most ${MAX_RETEST_ITEMS} items.`)
    if (places.length === 0) throw invalid('findingIds: there is nothing to test again')
    const now = clock.now()
    const id = newId('rts', now)
    const times = { created_at: isoTime(now), updated_at: isoTime(now) }
    const place = { organization_id: organizationId, engagement_id: engagementId }
    await query.insertRetest(tx, {
      ...place,
      id,
      name,
      starts_on: startsOn,
      ends_on: endsOn,
      created_by: authorOf(actor),
      ...times,
    })
    // Ids of one moment are in no order; sorted, they keep that of the places.
    const ids = places.map(() => newId('rti', now)).toSorted()
    const items = places.map((one, index) => ({ ...place, ...one, id: ids[index] as string, retest_id: id, ...times }))
    for (let from = 0; from < items.length; from += AT_ONCE)
      await query.insertItems(tx, items.slice(from, from + AT_ONCE))
    await record(tx, writer, actor, {
      action: 'retest.created',
      change: 'created',
      id,
      engagementId,
      after: { title: name, items: items.length },
    })
    return requireRetest(tx, organizationId, id)
  })

const readFindings = async (
  tx: Transaction,
  actor: Actor,
  engagementId: string,
  ids: readonly string[] | undefined,
  filter: Readonly<Record<string, unknown>> | undefined,
): Promise<string[]> => {
  if ((ids === undefined) === (filter === undefined))
    throw invalid('findingIds: exactly one of findingIds and filter is needed')
  if (filter && filter['engagementId'] !== engagementId)
    throw invalid('filter.engagementId: must be the engagement of the retest')
  const wanted = filter
    ? (await findingList.choose(tx, actor, { filter: { ...filter, trashed: false } })).map(({ id }) => id)
    : (ids ?? [])
  const found = await query.listRetestable(tx, actor.organizationId, engagementId, wanted)
  if (!filter && found.length < new Set(wanted).size)
    throw invalid('findingIds: must be findings of this engagement, not in the trash')
  return found
}

const requireDays = (startsOn: string | null, endsOn: string | null): void => {
  if ((startsOn === null) !== (endsOn === null)) throw invalid('endsOn: both days are needed, or none')
  if (startsOn !== null && endsOn !== null && endsOn < startsOn) throw invalid('endsOn: must not be before startsOn')
}

/**
 * Unchanged values have no effect.
 *
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR for invalid days, CONFLICT for a stale change, a skipped state, and for
 *   `done` while items have no outcome
 */
export const updateRetest = (
  writer: Writer,
  actor: Actor,
  retestId: string,
  wanted: Body<typeof contract.updateRetest>,
): Promise<query.RetestRow> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const { organizationId } = actor
    const before = await lockWritableRetest(tx, actor, retestId)
    if (wanted.ifUpdatedAt !== undefined && wanted.ifUpdatedAt !== before.updated_at) {
      throw conflict('This retest was changed in the meantime. Read it again, then repeat the change.')
    }
    const { state = before.state } = wanted
    if (wanted.markRest && state !== 'done') throw invalid('markRest: is for state "done"')
    const step = Math.abs(RETEST_STATES.indexOf(state) - RETEST_STATES.indexOf(before.state))
    if (step > 1) throw conflict('state: a retest goes from planned to running to done, one step at a time, and back.')
    const days = {
      starts_on: wanted.startsOn === undefined ? before.starts_on : wanted.startsOn,
      ends_on: wanted.endsOn === undefined ? before.ends_on : wanted.endsOn,
    }
    requireDays(days.starts_on, days.ends_on)
    const columns = { name: wanted.name ?? before.name, ...days, state }
    const changed = (Object.keys(columns) as (keyof typeof columns)[]).filter((name) => columns[name] !== before[name])
    if (changed.length === 0) return before
    const now = isoTime(Math.max(clock.now(), Date.parse(before.updated_at) + 1))
    let marked = 0
    if (state === 'done' && before.state !== 'done') {
      const open = before.counts['none'] ?? 0
      if (open > 0 && !wanted.markRest)
        throw conflict(
          `${open} ${open === 1 ? 'item has' : 'items have'} no outcome yet: set it, or finish with markRest.`,
        )
      marked = open > 0 ? await query.markRest(tx, organizationId, retestId, authorOf(actor), now) : 0
    }
    await query.updateRetest(tx, organizationId, retestId, { ...columns, updated_at: now })
    await record(tx, writer, actor, {
      action: 'retest.changed',
      change: 'updated',
      id: retestId,
      engagementId: before.engagement_id,
      before: { title: before.name, ...Object.fromEntries(changed.map((name) => [name, before[name]])) },
      after: {
        ...Object.fromEntries(changed.map((name) => [name, columns[name]])),
        ...(marked > 0 && { notRetested: marked }),
      },
    })
    return requireRetest(tx, organizationId, retestId)
  })

/** @throws ApiError NOT_FOUND, CONFLICT in an archived engagement */
export const deleteRetest = (writer: Writer, actor: Actor, retestId: string): Promise<void> =>
  writer.change(async (tx) => {
    const { name, engagement_id: engagementId } = await lockWritableRetest(tx, actor, retestId)
    await query.deleteRetest(tx, actor.organizationId, retestId)
    await record(tx, writer, actor, {
      action: 'retest.deleted',
      change: 'deleted',
      id: retestId,
      engagementId,
      before: { title: name },
    })
  })

/** @throws ApiError NOT_FOUND, CONFLICT in an archived engagement */
export const lockWritableRetest = async (tx: Transaction, actor: Actor, retestId: string): Promise<query.RetestRow> => {
  const seen = await requireRetest(tx, actor.organizationId, retestId)
  await lockWritableEngagementForShare(tx, actor, seen.engagement_id)
  const retest = await query.lockRetest(tx, actor.organizationId, retestId)
  if (!retest) throw notFound()
  return retest
}

export const requireRetest = async (
  db: Writer['db'],
  organizationId: string,
  retestId: string,
): Promise<query.RetestRow> => {
  const retest = await query.findRetest(db, organizationId, retestId)
  if (!retest) throw notFound()
  return retest
}

interface Recorded {
  action: string
  change: EventChange
  id: string
  engagementId: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

const record = async (
  tx: Transaction,
  { clock }: Pick<Writer, 'clock'>,
  actor: Actor,
  { action, change, id, engagementId, before, after }: Recorded,
) => {
  await recordAudit(tx, actor, clock, {
    action,
    object: { type: 'retest', id },
    engagementId,
    ...(before && { before }),
    ...(after && { after }),
  })
  await announce(tx, { type: 'retest', engagementId, ids: [id], change })
}
