import type { Platform } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { endSessions } from '../sessions/sessions.service.ts'
import * as query from './linked-accounts.queries.ts'

/** Unlinks every identity of the account. */
export const unlinkIdentities = async (
  tx: Transaction,
  { clock }: Pick<Platform, 'clock'>,
  userId: string,
): Promise<void> => {
  for (const before of await query.deleteIdentitiesOfUser(tx, userId)) {
    await recordAudit(tx, { system: 'identities' }, clock, {
      action: 'identity.unlinked',
      object: { type: 'user', id: userId },
      before,
    })
  }
}

/** Unlinks an identity that the provider deleted, and signs its account out. */
export const unlinkSubject = async (
  tx: Transaction,
  { clock }: Pick<Platform, 'clock'>,
  issuer: string,
  subject: string,
): Promise<void> => {
  const removed = await query.deleteIdentity(tx, issuer, subject)
  if (!removed) return
  const change = {
    action: 'identity.unlinked',
    object: { type: 'user', id: removed.user_id },
    before: { issuer, subject },
  }
  await endSessions(tx, removed.user_id)
  await recordAudit(tx, { system: 'directory' }, clock, change)
}

/** Stores the provider's current address of this user: for display, and to distinguish the entries of its directory. */
export const noteAddress = (tx: Transaction, issuer: string, subject: string, email: string): Promise<void> =>
  query.updateAddress(tx, issuer, subject, email)
