import { isDeepStrictEqual } from 'node:util'
import { ENGAGEMENT_ARCHIVED } from '@sortie/contract/core/values.ts'
import type { DetailsChange } from '@sortie/contract/engagement/engagement-details.ts'
import type { Updateable } from 'kysely'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isPermitted, requirementOf } from '../../../platform/auth/guard.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Engagements } from '../../../platform/database/types.gen.ts'
import { conflict, forbidden, invalid, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { selectClient } from '../../clients/select-client.service.ts'
import { setFields, withFields } from '../../custom-fields/field-values.service.ts'
import { lockVisibleEngagement } from '../locks.service.ts'
import * as query from './details.queries.ts'

/**
 * Changes the details. Unchanged values have no effect.
 *
 * @throws ApiError FORBIDDEN to members who neither lead the engagement nor may change engagements, and to keys that
 *   are limited to engagements for a new client, CONFLICT for a stale change or an archived engagement,
 *   VALIDATION_ERROR for invalid dates, hours or members
 */
export const updateEngagementDetails = (
  { change, clock, config }: Writer,
  actor: Actor,
  engagementId: string,
  { ifUpdatedAt, fields, ...given }: DetailsChange & { ifUpdatedAt?: string },
): Promise<query.DetailsRow> =>
  change(async (tx) => {
    const current = await query.findDetails(tx, actor.organizationId, engagementId)
    if (!current) throw notFound()
    // A change of a client's name locks the client before its engagements.
    const client = await selectClient(tx, clock, actor, given, current.client_id)
    await lockVisibleEngagement(tx, actor, engagementId)
    const before = await query.findDetails(tx, actor.organizationId, engagementId)
    if (!before) throw notFound()
    const mayWrite = isPermitted(actor, requirementOf('setting:ENGAGEMENT_WRITE_SCOPE', config))
    if (!mayWrite && before.lead?.id !== actor.id)
      throw forbidden('Only the lead, the owner and admins may change the details.')
    if (before.status === 'archived') throw conflict(ENGAGEMENT_ARCHIVED)
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.details_updated_at) {
      throw conflict('Someone else changed this engagement in the meantime. Reload it, then repeat the change.')
    }
    const changed = changedFields(before, { ...given, ...client })
    const set = await setFields(tx, actor, { type: 'engagement', id: engagementId, engagementId }, fields)
    if (Object.keys(changed.after).length === 0 && !set) return before
    const hides = 'access' in changed.after || 'lead' in changed.after || 'team' in changed.after
    const seenBefore = hides ? await query.findAudience(tx, actor.organizationId, engagementId) : undefined
    await writeDetails(tx, actor.organizationId, engagementId, changed.after, before)
    const now = Math.max(clock.now(), Date.parse(before.details_updated_at) + 1)
    await query.updateDetails(tx, actor.organizationId, engagementId, { details_updated_at: isoTime(now) })
    await recordAudit(tx, actor, clock, {
      action: 'engagement.details-changed',
      object: { type: 'engagement', id: engagementId },
      ...withFields(changed, set),
    })
    await announce(tx, {
      type: 'engagement',
      engagementId,
      ids: [engagementId],
      change: 'updated',
      ...(seenBefore && { seenBefore }),
    })
    const after = await query.findDetails(tx, actor.organizationId, engagementId)
    // A lead who hands over a closed engagement no longer sees it.
    return after ?? { ...before, details_updated_at: isoTime(now) }
  })

/**
 * Writes the given fields; the client as `selectClient` returns it. @throws ApiError VALIDATION_ERROR for invalid
 * dates, hours or members
 */
export const writeDetails = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  wanted: DetailsChange,
  before: { starts_on: string | null; ends_on: string | null } = { starts_on: null, ends_on: null },
): Promise<void> => {
  const { startsOn = before.starts_on, endsOn = before.ends_on } = wanted
  if (startsOn !== null && endsOn !== null && endsOn < startsOn) throw invalid('endsOn: must not be before startsOn')
  if (wanted.testingHours) requireHours(wanted.testingHours)
  if (wanted.kind !== undefined && wanted.kinds && wanted.kind !== wanted.kinds[0])
    throw invalid('kind: must be the first of kinds')
  await requireMembers(tx, organizationId, wanted)
  const columns = columnsOf(wanted)
  if (Object.keys(columns).length > 0) await query.updateDetails(tx, organizationId, engagementId, columns)
  if (wanted.lead !== undefined)
    await query.replacePeople(tx, organizationId, engagementId, 'lead', wanted.lead ? [wanted.lead] : [])
  if (wanted.team) await query.replacePeople(tx, organizationId, engagementId, 'team', wanted.team)
  if (wanted.access) await query.setTeamOnly(tx, organizationId, engagementId, wanted.access === 'team')
}

const requireHours = ({ timeZone, windows }: NonNullable<DetailsChange['testingHours']>): void => {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw invalid('testingHours.timeZone: must be an IANA name like Europe/Berlin')
  }
  const empty = windows.findIndex(({ from, to }) => from === to)
  if (empty >= 0) throw invalid(`testingHours.windows.${empty}.to: must differ from from`)
}

const requireMembers = async (
  tx: Transaction,
  organizationId: string,
  { lead, team = [] }: DetailsChange,
): Promise<void> => {
  const members = await query.lockMembersForShare(tx, organizationId, [...new Set([...(lead ? [lead] : []), ...team])])
  if (lead && !members.has(lead)) throw invalid('lead: must be a member of the organization')
  const stranger = team.findIndex((id) => !members.has(id))
  if (stranger >= 0) throw invalid(`team.${stranger}: must be a member of the organization`)
}

const columnsOf = ({
  clientId,
  clientName,
  kind,
  startsOn,
  endsOn,
  testingHours,
  contacts,
  prefix,
  reportWords,
  kinds,
  isTemplate,
}: DetailsChange): Updateable<Engagements> => {
  const columns = {
    client_id: clientId,
    client_name: clientName,
    ...kindsOf(kind, kinds),
    is_template: isTemplate,
    starts_on: startsOn,
    ends_on: endsOn,
    testing_hours: testingHours && JSON.stringify(testingHours),
    contacts: contacts && JSON.stringify(contacts),
    task_prefix: prefix,
    report_words: reportWords,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/** `kind` is the first of the kinds: a change of one changes the other. */
const kindsOf = (kind: DetailsChange['kind'], kinds: DetailsChange['kinds']) => {
  const all = kinds ?? (kind === undefined ? undefined : [kind])
  return all ? { kind: all[0], kinds: all } : {}
}

/** The fields that change, with their old and new values, under the names of the contract. */
const changedFields = (
  row: query.DetailsRow,
  wanted: DetailsChange,
): { before: DetailsChange; after: DetailsChange } => {
  const current: Record<string, unknown> = changeableOf(row)
  const isSame = (field: string, value: unknown) =>
    field === 'kinds' ? isDeepStrictEqual(value, current[field]) : canonical(value) === canonical(current[field])
  // A single kind replaces all of them.
  const replaced =
    wanted.kind !== undefined && !wanted.kinds && row.kinds.length > 1 ? { ...wanted, kinds: [wanted.kind] } : wanted
  const differing = Object.entries(replaced).filter(([field, value]) => !isSame(field, value))
  return {
    before: Object.fromEntries(differing.map(([field]) => [field, current[field]])),
    after: Object.fromEntries(differing),
  }
}

/** The details that can be changed, except custom fields. */
export const changeableOf = (row: query.DetailsRow): Required<Omit<DetailsChange, 'fields'>> => ({
  clientId: row.client_id,
  clientName: row.client_name,
  kind: row.kind,
  kinds: row.kinds as Required<DetailsChange>['kinds'],
  isTemplate: row.is_template,
  startsOn: row.starts_on,
  endsOn: row.ends_on,
  testingHours: row.testing_hours as Required<DetailsChange>['testingHours'],
  contacts: row.contacts as Required<DetailsChange>['contacts'],
  prefix: row.task_prefix,
  reportWords: row.report_words,
  access: row.team_only ? 'team' : 'organization',
  lead: row.lead?.id ?? null,
  team: (row.team ?? []).map(({ id }) => id).toSorted(),
})

/** JSON that ignores the order of keys, which Postgres does not keep, and of the team, which is a set. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part) => {
    if (Array.isArray(part) && part.every((entry) => typeof entry === 'string')) return part.toSorted()
    return part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part
  })
