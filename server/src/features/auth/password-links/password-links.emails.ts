import { isoTime } from '../../../platform/clock.ts'
import { sha256 } from '../../../platform/crypto.ts'
import { mailedLink } from '../../../platform/mail/mailed-link.ts'
import type { MailTemplate } from '../../../platform/mail/template.ts'
import { findPasswordResetToMail } from './password-links.queries.ts'
import { resetToken } from './password-links.service.ts'

/** The page of the web interface that a mailed link opens. Opening it changes nothing. */
const RESET_PATH = '/password-reset'

/** Skipped if the link was used, replaced or invalidated. */
export const passwordResetMail: MailTemplate = {
  kind: 'password-reset',
  render: async ({ db, keys, clock, config }, mail) => {
    const reset = mail.subject_id ? await findPasswordResetToMail(db, mail.subject_id, isoTime(clock.now())) : undefined
    const token = reset && resetToken(keys, reset.id, reset.token_hash)
    if (!reset || !token || !sha256(token).equals(reset.token_hash)) return undefined
    const url = mailedLink(config, RESET_PATH, token)
    const until = `${reset.expires_at.slice(0, 10)} ${reset.expires_at.slice(11, 16)} UTC`
    if (reset.purpose === 'welcome') {
      return {
        subject: 'Your account on Sortie is ready',
        paragraphs: [
          'Welcome to Sortie!',
          `An account was created for ${reset.email}. Choose your name and a password to get started.`,
          `The link works once, until ${until}. After that, use "Forgot password?" on the sign-in page to get a new one.`,
        ],
        action: { label: 'Choose a password', url },
        footer: [
          'If you did not expect this, ignore this email: no one can use the account without a password.',
          `Sent by Sortie at ${config.FRONTEND_URL}`,
        ],
      }
    }
    return {
      subject: 'A new password for Sortie',
      paragraphs: [
        `Hello ${reset.name},`,
        'Someone, most likely you, requested a new password for your account. Use the link below to choose one.',
        `It works once, until ${until}. If you requested it more than once, all emails contain the same link.`,
      ],
      action: { label: 'Choose a new password', url },
      footer: [
        'If it was not you, ignore this email: your password is unchanged.',
        `Sent by Sortie at ${config.FRONTEND_URL}`,
      ],
    }
  },
}
