import { isoTime } from '../../platform/clock.ts'
import type { Platform } from '../../platform/context.ts'
import { readIdentity, rememberDatabase } from '../../platform/database/connection/database-instance.ts'
import { type Transaction, transaction, withoutTimeout } from '../../platform/database/transaction.ts'
import { forgetJobs } from '../../platform/jobs/jobs.ts'
import { forgetEveryWorker } from '../../platform/jobs/worker-beats.ts'
import { enterSafeMode } from '../../platform/safe-mode/state.ts'
import { deleteEveryApiKey } from '../api-keys/api-keys.service.ts'
import { recordAudit, startAuditEpoch } from '../audit/audit.service.ts'
import {
  cancelEveryConfirmation,
  requestBrowserConfirmationJob,
} from '../auth/browser-confirmations/browser-confirmations.service.ts'
import { forgetEveryDevice } from '../auth/devices/devices.service.ts'
import { deleteEveryFlow } from '../auth/linked-accounts/flows.service.ts'
import { cancelEveryPasswordReset } from '../auth/password-links/password-links.service.ts'
import { requestPasswordResetJob } from '../auth/password-resets/password-resets.service.ts'
import { forgetEveryChallenge } from '../auth/second-factor/proofs/proof.service.ts'
import { endEverySession } from '../auth/sessions/sessions.service.ts'
import { holdWaitingMails } from '../mails/mails.service.ts'
import { revokeEveryInvitation } from '../organizations/invitations/invitations.service.ts'
import { listOrganizationIds } from '../organizations/organizations.queries.ts'

/** Counts of what ended. */
export interface Ended {
  apiKeys: number
  sessions: number
  devices: number
  invitations: number
  passwordLinks: number
  /** Mails that waited, and are now held. */
  mails: number
}

const RESTORED = 'The database was restored from a backup or a dump.'

/**
 * Runs once on a database that is a copy of an earlier state, in one transaction. Credentials that were revoked after
 * that state would work again: with `rekey`, every key, session and mailed link ends. Mails that waited then are held
 * in both cases, because they were probably sent. After this the server recognises the database as its own, and starts
 * in safe mode.
 */
export const settleRestored = async (
  { db, clock, log }: Platform,
  by: { system: string },
  { rekey }: { rekey: boolean },
): Promise<Ended> => {
  const identity = await readIdentity(db, log)
  return transaction(db, async (tx) => {
    await withoutTimeout(tx)
    await rememberDatabase(tx, identity)
    await startAuditEpoch(tx)
    await enterSafeMode(tx, RESTORED, isoTime(clock.now()))
    const mails = await holdWaitingMails(tx)
    for (const type of [requestPasswordResetJob, requestBrowserConfirmationJob]) await forgetJobs(tx, type)
    await forgetEveryWorker(tx)
    const keysOf = rekey ? await deleteEveryApiKey(tx) : []
    const invitationsOf = rekey ? await revokeEveryInvitation(tx, clock) : []
    const rest = rekey ? await endSignIns(tx) : { sessions: 0, devices: 0, passwordLinks: 0 }
    const counts = { ...rest, mails }
    await recordAudit(tx, by, clock, {
      action: 'instance.restored',
      object: { type: 'instance', id: 'instance' },
      after: { keysKept: !rekey, ...counts },
    })
    const [keys, invitations] = [countBy(keysOf), countBy(invitationsOf)]
    for (const id of await listOrganizationIds(tx)) {
      await recordAudit(tx, { ...by, organizationId: id }, clock, {
        action: 'organization.restored',
        object: { type: 'organization', id },
        after: { keysKept: !rekey, apiKeysDeleted: keys.get(id) ?? 0, invitationsRevoked: invitations.get(id) ?? 0 },
      })
    }
    return { ...counts, apiKeys: keysOf.length, invitations: invitationsOf.length }
  })
}

const endSignIns = async (tx: Transaction) => {
  await deleteEveryFlow(tx)
  await forgetEveryChallenge(tx)
  const passwordLinks = await cancelEveryPasswordReset(tx)
  await cancelEveryConfirmation(tx)
  return { sessions: await endEverySession(tx), devices: await forgetEveryDevice(tx), passwordLinks }
}

const countBy = (ids: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}
