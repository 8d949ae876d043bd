import { sha256 } from '../../../platform/crypto.ts'
import { mailedLink } from '../../../platform/mail/mailed-link.ts'
import type { MailTemplate } from '../../../platform/mail/template.ts'
import { findInvitationToMail, setTokenHash } from './invitations.queries.ts'
import { invitationToken, statusAt } from './invitations.service.ts'

/** The page of the web interface that a mailed link opens. */
const ACCEPT_PATH = '/invitations/accept'

/** Skipped if the invitation ended or was sent again. */
export const invitationMail: MailTemplate = {
  kind: 'invitation',
  render: async ({ db, keys, clock, config }, mail) => {
    const { version } = mail.data as { version: number }
    const invitation = mail.subject_id ? await findInvitationToMail(db, mail.subject_id) : undefined
    if (!invitation || invitation.token_version !== version || statusAt(invitation, clock) !== 'pending')
      return undefined
    const token = invitationToken(keys, invitation.id, version, invitation.token_hash)
    // If SESSION_SECRET changed since the hash was stored, the token differs: store the hash of the token that is
    // mailed.
    if (!sha256(token).equals(invitation.token_hash)) await setTokenHash(db, invitation.id, version, sha256(token))
    return {
      subject: `${invitation.invited_by_name} invites you to ${invitation.organization_name} on Sortie`,
      paragraphs: [
        `${invitation.invited_by_name} invites you to join the organization ${invitation.organization_name} on Sortie as ${invitation.role === 'admin' ? 'an admin' : 'a member'}.`,
        `The invitation is for ${invitation.email} and ends on ${readableTime(invitation.expires_at)}.`,
      ],
      action: { label: 'Accept the invitation', url: mailedLink(config, ACCEPT_PATH, token) },
      footer: [
        'If you did not expect this, ignore this email: you join only if you accept.',
        `Sent by Sortie at ${config.FRONTEND_URL}`,
      ],
    }
  },
}

/** `2026-11-28 08:30 UTC` */
const readableTime = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
