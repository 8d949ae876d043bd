import type { Person } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import { sha256 } from '../../../platform/crypto.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, forbidden, invalid, notFound } from '../../../platform/errors.ts'
import { parseEmail } from '../../../platform/text/text.ts'
import { notifyAdmins } from '../../account-emails/account-emails.service.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { findUser, findUserByEmail, lockAccount } from '../../auth/accounts/accounts.queries.ts'
import { createAccount } from '../../auth/accounts/accounts.service.ts'
import type { Passwords } from '../../auth/passwords/passwords.ts'
import { startSession } from '../../auth/sessions/sessions.service.ts'
import { afterSignIn, type SignInPlatform } from '../../auth/sign-in/after-sign-in.ts'
import type { Origin, Started } from '../../auth/sign-in/sign-in-types.ts'
import { findInvitationByToken, lockInvitationByToken } from '../invitations/invitations.queries.ts'
import { DEAD_LINK, markAccepted, statusAt } from '../invitations/invitations.service.ts'
import { addMember } from '../members/members.service.ts'
import { lockForChange } from '../organization-change.service.ts'

export interface Acceptance {
  token: string
  name: string | undefined
  password: string | undefined
}

/**
 * Joins the organization: with the signed-in account, or a new one whose address the mailed token proves.
 *
 * @returns the membership and, for a new account, the token of its first session
 */
export const acceptInvitation = async (
  platform: Writer & SignInPlatform,
  passwords: Passwords,
  acceptance: Acceptance,
  origin: Origin,
) => {
  const { db, change, clock, jobs, config } = platform
  const { person } = origin
  const tokenHash = sha256(acceptance.token)
  const seen = await findInvitationByToken(db, tokenHash)
  if (!seen || statusAt(seen, clock) !== 'pending') throw notFound(DEAD_LINK)
  if (person) requireInvited(person, seen)
  else if (config.AUTH_PROVIDER !== 'local') throw forbidden(SIGN_IN_FIRST)
  else if (await findUserByEmail(db, seen.email_key))
    throw conflict(`${seen.email} has an account: sign in with it, then accept.`)
  const name = person ? '' : requireGiven(acceptance.name, 'name')
  const texts = [seen.email, name, seen.organization_name]
  const passwordHash = person ? null : await passwords.hash(requireGiven(acceptance.password, 'password'), texts)
  const by = { organizationId: seen.organization_id, ...(person ? { person } : { system: 'invitation' }) }
  const work = async (tx: Transaction) => {
    const invitation = await lockInvitationByToken(tx, tokenHash)
    if (!invitation || statusAt(invitation, clock) !== 'pending') throw notFound(DEAD_LINK)
    const user = person
      ? await findUser(tx, person.userId)
      : await createAccount(tx, clock, { name, email: invitation.email, passwordHash })
    if (!user) throw conflict(`${invitation.email} has an account: sign in with it, then accept.`)
    const role = invitation.role
    if (!(await addMember(tx, clock, invitation.organization_id, user, role)))
      throw conflict('You are already a member of this organization.')
    await markAccepted(tx, invitation.organization_id, invitation.id, user.id)
    const joined = {
      person: { userId: user.id, name: user.name, address: origin.address },
      organizationId: invitation.organization_id,
    }
    const after = { userId: user.id, email: invitation.email, role }
    await recordAudit(tx, joined, clock, {
      action: 'invitation.accepted',
      object: { type: 'invitation', id: invitation.id },
      after,
    })
    const line = `${user.name} (${user.email}) accepted the invitation of ${invitation.invited_by_name} and joined as ${role === 'admin' ? 'an admin' : 'a member'}.`
    await notifyAdmins(tx, jobs, clock, invitation.organization_id, { kind: 'invitations-accepted', line })
    const signedIn = person ? undefined : await signInNew(tx, platform, user, origin)
    return { user, organizationId: invitation.organization_id, role, signedIn }
  }
  return change(work, { turn: by.organizationId, first: (tx) => lockForChange(tx, by) })
}

const signInNew = async (
  tx: Transaction,
  platform: SignInPlatform,
  user: Started['user'],
  origin: Origin,
): Promise<Started> => {
  const sessionToken = await startSession(tx, platform.keys, platform.clock, await lockAccount(tx, user.id), origin)
  const newDeviceToken = await afterSignIn(tx, platform, {
    user,
    method: 'password',
    verifiedEmail: user.email,
    origin,
  })
  return { user, sessionToken, newDeviceToken }
}

const SIGN_IN_FIRST =
  'People sign in to this server through its identity provider: sign in there as the invited address, then accept.'

const requireInvited = (person: Person, invitation: { email: string; email_key: string }): void => {
  if (parseEmail(person.email)?.key !== invitation.email_key) {
    throw forbidden(`This invitation is for ${invitation.email}. Sign in with that account, or sign out to create it.`)
  }
}

const requireGiven = (value: string | undefined, field: string): string => {
  if (!value) throw invalid(`${field}: is required for a new account`)
  return value
}
