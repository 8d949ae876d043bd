import type { Platform } from '../../../platform/context.ts'
import { type Transaction, transaction } from '../../../platform/database/transaction.ts'
import { findIdentity } from '../../auth/linked-accounts/linked-accounts.queries.ts'
import type { OnProviderProfile } from '../../auth/linked-accounts/linked-accounts.service.ts'
import { workosIssuer } from '../../auth/linked-accounts/providers/workos.ts'
import { noteAddress, unlinkSubject } from '../../auth/linked-accounts/unlink.service.ts'
import { provideMembership } from '../members/provided-members.service.ts'
import * as query from './directory.queries.ts'
import type { ChangedEntry } from './directory.service.ts'
import type { DirectoryChange } from './workos/workos-events.ts'

const SOURCE = 'The directory'

/**
 * Synchronizes accounts and memberships with the entries that an event changed. It reads their current state, so the
 * order of the jobs does not matter, and it runs once however often the job runs.
 */
export const applyEvent = (platform: Platform, eventId: string): Promise<void> =>
  transaction(platform.db, async (tx) => {
    const event = await query.lockWaitingEvent(tx, eventId)
    if (!event) return
    for (const entry of event.change as ChangedEntry[]) await applyEntry(tx, platform, entry)
    await query.setOutcome(tx, eventId, 'applied')
  })

const applyEntry = async (tx: Transaction, platform: Platform, { kind, id, isBack }: ChangedEntry): Promise<void> => {
  const entry = await query.lockEntry(tx, kind, id)
  if (!entry) return
  const issuer = workosIssuer(platform.config)
  const { email, role } = entry.data as DirectoryChange['data']
  const { provider_organization_id: providerOrganizationId, provider_user_id: subject } = entry
  if (kind === 'membership' && providerOrganizationId !== null && subject !== null) {
    await provide(
      tx,
      platform,
      providerOrganizationId,
      issuer,
      subject,
      entry.is_removed ? null : (role ?? 'member'),
      isBack,
    )
  } else if (kind === 'user' && subject !== null) {
    if (entry.is_removed) await forgetUser(tx, platform, issuer, subject)
    else if (email !== undefined) await noteAddress(tx, issuer, subject, email)
  } else if (kind === 'directory-user' && entry.is_removed && providerOrganizationId !== null && email !== undefined) {
    for (const member of await query.findMembersByAddress(tx, issuer, providerOrganizationId, email)) {
      await provide(tx, platform, providerOrganizationId, issuer, member.subject, null, false)
    }
  }
}

const provide = async (
  tx: Transaction,
  platform: Platform,
  providerOrganizationId: string,
  issuer: string,
  subject: string,
  role: 'admin' | 'member' | null,
  mayJoin: boolean,
): Promise<void> => {
  const organization = await query.findLinkedOrganization(tx, providerOrganizationId)
  const user = organization && (await findIdentity(tx, issuer, subject))
  if (organization && user)
    await provideMembership(tx, platform, {
      organizationId: organization.organization_id,
      user,
      role,
      mayJoin,
      source: SOURCE,
    })
}

/** Handles a user that the provider deleted: ends the memberships that it provided, and unlinks the identity. */
const forgetUser = async (tx: Transaction, platform: Platform, issuer: string, subject: string): Promise<void> => {
  const user = await findIdentity(tx, issuer, subject)
  if (!user) return
  for (const { organization_id } of await query.listProvidedMemberships(tx, issuer, { subject })) {
    await provideMembership(tx, platform, {
      organizationId: organization_id,
      user,
      role: null,
      mayJoin: false,
      source: SOURCE,
    })
  }
  await unlinkSubject(tx, platform, issuer, subject)
}

/**
 * Adds a user who signs in for the first time, or links, to the organizations that the directory reported for them
 * before.
 */
export const applyKnownMemberships =
  (platform: Platform): OnProviderProfile =>
  async (tx, user, { issuer, subject }, isNew) => {
    if (!isNew) return
    for (const { organization_id, data, is_removed } of await query.listProvidedMemberships(tx, issuer, { subject })) {
      const { role = 'member' } = data as DirectoryChange['data']
      if (!is_removed)
        await provideMembership(tx, platform, {
          organizationId: organization_id,
          user,
          role,
          mayJoin: true,
          source: SOURCE,
        })
    }
  }
