import type { Person } from '../../../platform/auth/actor.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import type { Platform } from '../../../platform/http/context.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { takeAccount } from '../accounts/accounts.queries.ts'
import { deleteOwnSession } from './sessions.queries.ts'
import { findProviderSession } from './sessions.service.ts'

/**
 * Ends the session that asks, after the changes that it is making. One that has ended meanwhile is signed out already.
 *
 * @returns what signing out at the identity provider needs, if there is anything to sign out of
 */
export const signOut = ({ db, clock, keys }: Platform, person: Person): Promise<string | undefined> =>
  transaction(db, async (tx) => {
    await takeAccount(tx, person.userId)
    const providerSession = await findProviderSession(tx, keys, person)
    if (!(await deleteOwnSession(tx, person.userId, person.sessionId))) return undefined
    await recordAudit(tx, { person }, clock, { action: 'session.ended', object: { type: 'session', id: person.sessionId }, after: { signedOut: true } })
    return providerSession
  })
