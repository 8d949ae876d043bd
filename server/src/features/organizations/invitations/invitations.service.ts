import type { Actor } from '../../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import { type Keys, sha256, signaturesOf, tokenOfHash } from '../../../platform/crypto.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid, notFound, rateLimited } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { parseEmail } from '../../../platform/text/text.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { findUserByEmail } from '../../auth/accounts/accounts.queries.ts'
import { isWithinLimit } from '../../auth/throttle/throttle.service.ts'
import { queueMail } from '../../mails/mails.service.ts'
import { changeOrganization } from '../organization-change.service.ts'
import * as query from './invitations.queries.ts'

/** 7 days (specification, section 8). */
export const INVITATION_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
/** Limit for one organization. */
const MAILS_PER_ADDRESS_AND_DAY = 5
/** Limit for all organizations together. */
const ALL_MAILS_PER_ADDRESS_AND_DAY = 20
/** Shown to instance administrators: an organization must not learn what others do. */
const HELD_BACK = `Organizations have invited this address more than ${ALL_MAILS_PER_ADDRESS_AND_DAY} times within a day.`

/** The token of the mailed link: derived whenever the mail is rendered, so that only its hash is stored. */
export const invitationToken = (keys: Keys, invitationId: string, version: number, stored?: Buffer): string => {
  const tokens = signaturesOf(keys.invitation, `${invitationId} ${version}`)
  return stored ? tokenOfHash(tokens, stored) : (tokens[0] as string)
}

/** The status that readers see: a pending invitation expires in the exact millisecond of its end (open point 7). */
export const statusAt = (invitation: { status: string; expires_at: string }, clock: Clock) =>
  (invitation.status === 'pending' && Date.parse(invitation.expires_at) <= clock.now()
    ? 'expired'
    : invitation.status) as 'pending' | 'accepted' | 'revoked' | 'expired'

/**
 * The row, the audit entry and the mail's job commit together: no invitation without its mail, no mail after a
 * rollback.
 */
export const inviteMember = (platform: Writer, actor: Actor, invite: { email: string; role: 'admin' | 'member' }) => {
  const { change, clock, keys } = platform
  const address = parseEmail(invite.email)
  if (!address) throw invalid('email: must be an email address')
  return changeOrganization(change, actor, async (tx) => {
    if (await query.findMemberByEmail(tx, actor.organizationId, address.key))
      throw conflict('This address already belongs to a member.')
    const now = clock.now()
    await query.expireInvitations(tx, actor.organizationId, address.key, now)
    const id = newId('inv', now)
    const invitation = await query.insertInvitation(tx, {
      id,
      organization_id: actor.organizationId,
      email: address.email,
      email_key: address.key,
      role: invite.role,
      status: 'pending',
      token_hash: sha256(invitationToken(keys, id, 1)),
      invited_by: actor.id,
      invited_by_name: actor.name,
      created_at: isoTime(now),
      expires_at: isoTime(now + INVITATION_LIFETIME_MS),
    })
    if (!invitation)
      throw conflict('This address already has a pending invitation. It can be sent again in the web interface.')
    await requireMailAllowed(tx, platform, actor.organizationId, address.key)
    await recordAudit(tx, actor, clock, {
      action: 'member.invited',
      object: { type: 'invitation', id },
      after: { email: invitation.email, role: invitation.role, expiresAt: invitation.expires_at },
    })
    await mailInvitation(tx, platform, invitation)
    return invitation
  })
}

/**
 * Prevents flooding a mailbox with invitations (abuse case M8). Counts only this organization's mails, so that the
 * quota of others stays hidden (abuse case A16).
 */
const requireMailAllowed = async (
  tx: Transaction,
  { clock, config }: Platform,
  organizationId: string,
  emailKey: string,
): Promise<void> => {
  const sent = await query.countInvitationMails(tx, organizationId, isoTime(clock.now() - HOUR_MS))
  if (sent >= config.INVITATION_LIMIT_PER_HOUR) {
    throw rateLimited(
      `This organization has sent ${sent} invitations in the last hour, which is the limit.`,
      HOUR_MS / 1000 / 4,
    )
  }
  if (
    !(await isWithinLimit(tx, clock, `invitation:${organizationId}:${emailKey}`, MAILS_PER_ADDRESS_AND_DAY, DAY_MS))
  ) {
    throw rateLimited(
      `This address has received ${MAILS_PER_ADDRESS_AND_DAY} invitations in the last day, which is the limit.`,
      HOUR_MS / 1000,
    )
  }
}

/**
 * A mail above the limit of all organizations together stays in the outbox, and looks to each of them like any other
 * mail.
 */
const mailInvitation = async (
  tx: Transaction,
  { clock, jobs }: Platform,
  invitation: query.InvitationRow,
): Promise<void> => {
  const goesOut = await isWithinLimit(
    tx,
    clock,
    `invitations-to:${invitation.email_key}`,
    ALL_MAILS_PER_ADDRESS_AND_DAY,
    DAY_MS,
  )
  await queueMail(tx, jobs, clock, {
    organizationId: invitation.organization_id,
    kind: 'invitation',
    recipient: invitation.email,
    subjectId: invitation.id,
    data: { version: invitation.token_version },
    ...(!goesOut && { heldBack: HELD_BACK }),
  })
}

export const revokeInvitation = ({ change, clock }: Writer, actor: Actor, invitationId: string) =>
  changeOrganization(change, actor, async (tx) => {
    await lockPending(tx, clock, actor.organizationId, invitationId)
    const revoked = await query.updateInvitation(tx, actor.organizationId, invitationId, { status: 'revoked' })
    await recordAudit(tx, actor, clock, {
      action: 'invitation.revoked',
      object: { type: 'invitation', id: invitationId },
      before: { status: 'pending', email: revoked.email },
      after: { status: 'revoked' },
    })
    return revoked
  })

/**
 * Makes a new token for another 7 days; the old link is dead (open point 7). @throws ApiError CONFLICT also in safe
 * mode, which sends no mail
 */
export const resendInvitation = async (platform: Writer, actor: Actor, invitationId: string) => {
  const { change, clock, keys, safeMode } = platform
  await safeMode.requireLive()
  return changeOrganization(change, actor, async (tx) => {
    const invitation = await lockPending(tx, clock, actor.organizationId, invitationId)
    await requireMailAllowed(tx, platform, actor.organizationId, invitation.email_key)
    const version = invitation.token_version + 1
    const renewed = await query.updateInvitation(tx, actor.organizationId, invitationId, {
      token_hash: sha256(invitationToken(keys, invitationId, version)),
      token_version: version,
      expires_at: isoTime(clock.now() + INVITATION_LIFETIME_MS),
    })
    await recordAudit(tx, actor, clock, {
      action: 'invitation.resent',
      object: { type: 'invitation', id: invitationId },
      before: { expiresAt: invitation.expires_at },
      after: { expiresAt: renewed.expires_at },
    })
    await mailInvitation(tx, platform, renewed)
    return renewed
  })
}

const lockPending = async (tx: Transaction, clock: Clock, organizationId: string, invitationId: string) => {
  const invitation = await query.lockInvitation(tx, organizationId, invitationId)
  if (!invitation) throw notFound()
  const status = statusAt(invitation, clock)
  if (status !== 'pending') throw conflict(`This invitation is ${status}; invite the address again instead.`)
  return invitation
}

/** Prevents a removed member from returning through an open invitation. */
export const revokePendingOfAddress = async (tx: Transaction, organizationId: string, email: string): Promise<void> => {
  const address = parseEmail(email)
  if (address) await query.revokePending(tx, organizationId, address.key)
}

/** @throws ApiError NOT_FOUND for a token that was never issued */
export const inspectInvitation = async ({ db, clock }: Platform, token: string) => {
  const invitation = await query.findInvitationByToken(db, sha256(token))
  if (!invitation) throw notFound(DEAD_LINK)
  const account = await findUserByEmail(db, invitation.email_key)
  return { invitation, status: statusAt(invitation, clock), accountExists: account !== undefined }
}

export const DEAD_LINK = 'This invitation is no longer valid. Ask for a new one.'

/** Revokes every mailed invitation. @returns the organization of each; the caller writes the audit entries */
export const revokeEveryInvitation = (tx: Transaction, clock: Clock): Promise<string[]> =>
  query.revokeEveryInvitation(tx, isoTime(clock.now()))

/** Within a transaction that holds the invitation's lock. */
export const markAccepted = async (
  tx: Transaction,
  organizationId: string,
  invitationId: string,
  userId: string,
): Promise<void> => {
  await query.updateInvitation(tx, organizationId, invitationId, { status: 'accepted', accepted_by: userId })
}
