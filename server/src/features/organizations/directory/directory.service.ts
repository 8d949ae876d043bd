import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/context.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { type Transaction, transaction } from '../../../platform/database/transaction.ts'
import type { DirectoryEntries } from '../../../platform/database/types.gen.ts'
import { type JobType, PERSISTENT } from '../../../platform/jobs/jobs.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { lockAccountForRevocation } from '../../auth/accounts/accounts.queries.ts'
import { findIdentity } from '../../auth/linked-accounts/linked-accounts.queries.ts'
import { workosIssuer } from '../../auth/linked-accounts/providers/workos.ts'
import { endSessions } from '../../auth/sessions/sessions.service.ts'
import * as query from './directory.queries.ts'
import type { DirectoryChange, DirectoryEvent } from './workos/workos-events.ts'

/** The provider retries for three days, and its list of events goes back 30. */
const EVENT_RETENTION_MS = 60 * 24 * 60 * 60 * 1000

/** Retried for a week. */
export const applyDirectoryEvent: JobType<{ eventId: string }> = {
  name: 'apply-directory-event',
  options: { ...PERSISTENT, retryLimit: 10_000 },
}

/** Identifies an entry that an event changed, for its job. */
export interface ChangedEntry {
  kind: DirectoryEntries['kind']
  id: string
  /**
   * The entry is new or was deleted before: its user joins. Otherwise an administrator may have removed the user since.
   */
  isBack: boolean
}

/**
 * Receives an event from the webhook or from the list: once, whichever comes first, and never over a later one. Stores
 * its content together with the job that applies it; signs out a removed user before the acknowledgement (abuse case
 * S16).
 */
export const receiveEvent = ({ db, clock, jobs, config }: Platform, event: DirectoryEvent): Promise<void> =>
  transaction(db, async (tx) => {
    const { id, type, eventAt, change } = event
    const isFirst = await query.insertEvent(tx, { id, type, event_at: eventAt, received_at: isoTime(clock.now()) })
    if (!isFirst) return
    if (!change) return query.setOutcome(tx, id, 'not-used')
    const changed: ChangedEntry[] = []
    for (const one of await entriesOf(tx, event, change)) {
      const before = await query.lockEntry(tx, one.kind, one.id)
      if (!(await storeEntry(tx, event, one))) continue
      changed.push({ kind: one.kind, id: one.id, isBack: before?.is_removed ?? true })
      if (one.isRemoved) await signOut(tx, clock, workosIssuer(config), one)
    }
    if (changed.length === 0) return query.setOutcome(tx, id, 'superseded')
    await query.setChanged(tx, id, JSON.stringify(changed))
    await jobs.enqueue(tx, applyDirectoryEvent, { eventId: id })
  })

/** A change of what one row of `directory_entries` holds. */
type EntryChange = DirectoryChange & Pick<DirectoryEntries, 'kind'>

/** A directory that goes takes everyone in it along: the provider sends no event for each. */
const entriesOf = async (
  tx: Transaction,
  { eventAt }: DirectoryEvent,
  change: DirectoryChange,
): Promise<EntryChange[]> => {
  if (change.kind !== 'directory') return [{ ...change, kind: change.kind }]
  const users = await query.listUsersOfDirectory(tx, change.id, eventAt)
  return users.map((user) => ({
    kind: 'directory-user',
    id: user.id,
    providerOrganizationId: user.provider_organization_id,
    providerUserId: null,
    isRemoved: true,
    data: user.data as DirectoryChange['data'],
  }))
}

const storeEntry = (tx: Transaction, event: DirectoryEvent, change: EntryChange): Promise<boolean> =>
  query.upsertEntry(tx, {
    kind: change.kind,
    id: change.id,
    provider_organization_id: change.providerOrganizationId,
    provider_user_id: change.providerUserId,
    is_removed: change.isRemoved,
    data: JSON.stringify(change.data),
    event_at: event.eventAt,
    event_id: event.id,
  })

const signOut = async (tx: Transaction, clock: Clock, issuer: string, change: DirectoryChange): Promise<void> => {
  for (const userId of await accountsOf(tx, issuer, change)) {
    await lockAccountForRevocation(tx, userId)
    const ended = await endSessions(tx, userId)
    if (ended === 0) continue
    await recordAudit(tx, { system: 'directory' }, clock, {
      action: 'session.all-ended',
      object: { type: 'user', id: userId },
      after: { ended },
    })
  }
}

/** The accounts that a change affects. */
const accountsOf = async (
  tx: Transaction,
  issuer: string,
  { kind, providerOrganizationId, providerUserId, data }: DirectoryChange,
): Promise<string[]> => {
  if (kind === 'user' || kind === 'membership') {
    const identity = providerUserId === null ? undefined : await findIdentity(tx, issuer, providerUserId)
    return identity ? [identity.id] : []
  }
  if (kind !== 'directory-user' || providerOrganizationId === null || data.email === undefined) return []
  return (await query.findMembersByAddress(tx, issuer, providerOrganizationId, data.email)).map(
    ({ user_id }) => user_id,
  )
}

/** Deletes events that neither the webhook nor the list can deliver again. */
export const deleteOldEvents = (db: Database, clock: Clock): Promise<void> =>
  query.deleteEventsBefore(db, isoTime(clock.now() - EVENT_RETENTION_MS))
