import type { Writer } from '../../../platform/context.ts'
import { violates } from '../../../platform/database/connection/failures.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import { parseEmail } from '../../../platform/text/text.ts'
import { notifyNewAddress } from '../../account-emails/account-emails.service.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { lockLivingAccount } from '../../auth/accounts/accounts.queries.ts'
import { changeAccount, moveAccount } from '../../auth/accounts/accounts.service.ts'
import { cancelConfirmation } from '../../auth/browser-confirmations/browser-confirmations.service.ts'
import { cancelPasswordResets, mailWelcome } from '../../auth/password-links/password-links.service.ts'
import { endSessions } from '../../auth/sessions/sessions.service.ts'
import { forwardWaitingMails } from '../../mails/mails.service.ts'
import type { Administrator } from './administrator.ts'

/**
 * Changes the address of an account. The operator vouches for the new one, so it needs no confirmation. Sessions and
 * mailed links end and waiting mails go to the new address, since others may read the former mailbox; password, second factor and links to identity
 * providers stay. An account without a password gets a new link to choose one.
 *
 * @returns the new address, in the form that is stored
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR, CONFLICT if the address has an account, or is that of this account
 */
export const changeAddress = async (
  platform: Writer,
  by: Administrator,
  userId: string,
  wanted: string,
): Promise<string> => {
  const { change, clock, config, jobs } = platform
  const address = parseEmail(wanted)
  if (!address) throw invalid('email: must be an email address')
  const work = async (tx: Transaction) => {
    const account = await lockLivingAccount(tx, userId)
    if (account.email === address.email) throw conflict(`${account.email} is the address of this account already.`)
    await moveAccount(tx, clock, userId, address)
    await forwardWaitingMails(tx, account.email, address.email)
    await cancelPasswordResets(tx, userId)
    await cancelConfirmation(tx, userId)
    const sessions = await endSessions(tx, userId)
    await recordAudit(tx, by, clock, {
      action: 'account.address-changed',
      object: { type: 'user', id: userId },
      before: { email: account.email },
      after: { email: address.email, sessionsEnded: sessions },
    })
    await notifyNewAddress(tx, jobs, clock, { userId, name: account.name }, { from: account.email, to: address.email })
    if (account.password_hash === null && config.AUTH_PROVIDER === 'local')
      await mailWelcome(tx, platform, { id: userId, email: address.email })
    return address.email
  }
  try {
    return await changeAccount(change, userId, work)
  } catch (error) {
    // Another account took it at the same time.
    if (violates(error, 'users_email_key')) throw conflict(`${address.email} already has an account.`)
    throw error
  }
}
