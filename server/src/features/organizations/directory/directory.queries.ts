import { type Insertable, sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { hasRow } from '../../../platform/database/rows.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { DirectoryEntries, DirectoryEvents, DirectoryOrganizations } from '../../../platform/database/types.gen.ts'

/** @returns false if the event is already stored */
export const insertEvent = (tx: Transaction, event: Insertable<DirectoryEvents>): Promise<boolean> =>
  hasRow(
    tx
      .insertInto('directory_events')
      .values(event)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id'),
  )

/** @returns undefined if it already has an outcome */
export const lockWaitingEvent = (tx: Transaction, id: string) =>
  tx
    .selectFrom('directory_events')
    .select(['id', 'change'])
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export const setOutcome = async (
  tx: Transaction,
  id: string,
  outcome: 'applied' | 'superseded' | 'not-used',
): Promise<void> => {
  await tx.updateTable('directory_events').set({ outcome }).where('id', '=', id).execute()
}

/** Stores which entries the event changed, for its job. */
export const setChanged = async (tx: Transaction, id: string, changed: string): Promise<void> => {
  await tx.updateTable('directory_events').set({ change: changed }).where('id', '=', id).execute()
}

export const deleteEventsBefore = async (db: Database, before: string): Promise<void> => {
  await db.deleteFrom('directory_events').where('received_at', '<', before).execute()
}

export const lockEntry = (tx: Transaction, kind: DirectoryEntries['kind'], id: string) =>
  tx
    .selectFrom('directory_entries')
    .selectAll()
    .where('kind', '=', kind)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** @returns false if the stored state is of a later event */
export const upsertEntry = (tx: Transaction, entry: Insertable<DirectoryEntries>): Promise<boolean> => {
  const { kind, id, ...state } = entry
  const isLater = sql<boolean>`(excluded.event_at, excluded.event_id) >= (directory_entries.event_at, directory_entries.event_id)`
  return hasRow(
    tx
      .insertInto('directory_entries')
      .values(entry)
      .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(state).where(isLater))
      .returning('id'),
  )
}

/** The users of a deleted directory, as of before the deletion. */
export const listUsersOfDirectory = (tx: Transaction, directoryId: string, until: string) =>
  tx
    .selectFrom('directory_entries')
    .select(['id', 'provider_organization_id', 'data'])
    .where('kind', '=', 'directory-user')
    .where('is_removed', '=', false)
    .where(sql<boolean>`data ->> 'directoryId' = ${directoryId}`)
    .where('event_at', '<=', until)
    .orderBy('id')
    .execute()

/** Memberships that the provider reports for a user, in linked organizations. */
export const listProvidedMemberships = (
  db: Database,
  issuer: string,
  filter: { subject?: string; organizationId?: string },
) => {
  const query = db
    .selectFrom('directory_entries as e')
    .innerJoin('directory_organizations as o', 'o.provider_id', 'e.provider_organization_id')
    .leftJoin('linked_accounts as i', (join) =>
      join.onRef('i.subject', '=', 'e.provider_user_id').on('i.issuer', '=', issuer),
    )
    .leftJoin('users as u', 'u.id', 'i.user_id')
    .select(['o.organization_id', 'e.id', 'e.data', 'e.is_removed', 'u.id as user_id', 'u.name', 'u.email'])
    .where('e.kind', '=', 'membership')
  const ofSubject = filter.subject === undefined ? query : query.where('e.provider_user_id', '=', filter.subject)
  return (
    filter.organizationId === undefined ? ofSubject : ofSubject.where('o.organization_id', '=', filter.organizationId)
  )
    .orderBy('o.organization_id')
    .orderBy('e.id')
    .execute()
}

/**
 * Accounts that the directory of an organization knows by this address, if the provider reports them as members of that
 * organization. An address by itself finds no account.
 */
export const findMembersByAddress = (tx: Transaction, issuer: string, providerOrganizationId: string, email: string) =>
  tx
    .selectFrom('directory_entries as e')
    .innerJoin('linked_accounts as i', (join) =>
      join.onRef('i.subject', '=', 'e.provider_user_id').on('i.issuer', '=', issuer),
    )
    .select(['i.user_id', 'i.subject'])
    .where('e.kind', '=', 'membership')
    .where('e.provider_organization_id', '=', providerOrganizationId)
    .where(sql<boolean>`lower(i.email) = ${email.toLowerCase()}`)
    .execute()

export const findLinkedOrganization = (db: Database, providerId: string) =>
  db
    .selectFrom('directory_organizations')
    .select('organization_id')
    .where('provider_id', '=', providerId)
    .executeTakeFirst()

export const findLink = (db: Database, organizationId: string) =>
  db
    .selectFrom('directory_organizations')
    .select('provider_id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()

/** @throws on directory_organizations_provider when another organization has it */
export const upsertLink = async (tx: Transaction, link: Insertable<DirectoryOrganizations>): Promise<void> => {
  const { organization_id, ...state } = link
  await tx
    .insertInto('directory_organizations')
    .values({ organization_id, ...state })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(state))
    .execute()
}

export const deleteLink = (tx: Transaction, organizationId: string) =>
  tx
    .deleteFrom('directory_organizations')
    .where('organization_id', '=', organizationId)
    .returning('provider_id')
    .executeTakeFirst()

export const findCursor = (db: Database, issuer: string) =>
  db.selectFrom('directory_cursors').select('after_event_id').where('issuer', '=', issuer).executeTakeFirst()

export const saveCursor = async (db: Database, issuer: string, afterEventId: string, now: string): Promise<void> => {
  const state = { after_event_id: afterEventId, read_at: now }
  await db
    .insertInto('directory_cursors')
    .values({ issuer, ...state })
    .onConflict((conflict) => conflict.column('issuer').doUpdateSet(state))
    .execute()
}
