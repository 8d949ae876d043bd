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
    const token = reset && resetToken(keys, reset.id)
    if (!reset || !token || !sha256(token).equals(reset.token_hash)) return undefined
    const url = mailedLink(config, RESET_PATH, token)
    const until = `${reset.expires_at.slice(0, 10)} ${reset.expires_at.slice(11, 16)} UTC`
    if (reset.purpose === 'welcome') {
      return {
        subject: 'Your account on Sortie is ready',
        paragraphs: [
          'Welcome to Sortie!',
          `An account was made for ${reset.email}. Choose your name and a password, and you can start.`,
          `The link works once, until ${until}. Later, "Forgotten password" on the sign-in page mails you a new one.`,
        ],
        action: { label: 'Choose a password', url },
        footer: ['If you did not expect this, ignore this mail: without a password nobody can use the account.', `Sent by Sortie at ${config.FRONTEND_URL}`],
      }
    }
    return {
      subject: 'A new password for Sortie',
      paragraphs: [
        `Hello ${reset.name},`,
        'Somebody, most likely you, asked for a new password for your account. The link below lets you choose one.',
        `It works once, until ${until}. If you asked several times, all mails have the same link.`,
      ],
      action: { label: 'Choose a new password', url },
      footer: ['If it was not you, ignore this mail: your password stays as it is.', `Sent by Sortie at ${config.FRONTEND_URL}`],
    }
  },
}
