import { isoTime } from '../../../platform/clock.ts'
import { sha256 } from '../../../platform/crypto.ts'
import { mailedLink } from '../../../platform/mail/mailed-link.ts'
import type { MailTemplate } from '../../../platform/mail/template.ts'
import { findConfirmationToMail } from './browser-confirmations.queries.ts'
import { confirmationToken } from './browser-confirmations.service.ts'

/** The page of the web interface that a mailed link opens. Opening it changes nothing. */
const CONFIRM_PATH = '/sign-in/confirm'

/** Skipped if the link was used or has expired. */
export const browserConfirmationMail: MailTemplate = {
  kind: 'browser-confirmation',
  render: async ({ db, keys, clock, config }, mail) => {
    const confirmation = mail.subject_id
      ? await findConfirmationToMail(db, mail.subject_id, isoTime(clock.now()))
      : undefined
    const token = confirmation && confirmationToken(keys, confirmation.id, confirmation.token_hash)
    if (!confirmation || !token || !sha256(token).equals(confirmation.token_hash)) return undefined
    const until = `${confirmation.expires_at.slice(0, 10)} ${confirmation.expires_at.slice(11, 16)} UTC`
    return {
      subject: 'Confirm your browser to sign in to Sortie',
      paragraphs: [
        `Hello ${confirmation.name},`,
        'Someone, most likely you, is signing in to your account with a new browser. There were too many failed sign-ins, so the browser has to be confirmed.',
        `Open the link below in the browser that you want to sign in with, then enter your password. The link works once, until ${until}.`,
      ],
      action: { label: 'Confirm this browser', url: mailedLink(config, CONFIRM_PATH, token) },
      footer: [
        "If it was not you, ignore this email: the link gives no access without your password. Browsers that you have used before don't need it.",
        `Sent by Sortie at ${config.FRONTEND_URL}`,
      ],
    }
  },
}
