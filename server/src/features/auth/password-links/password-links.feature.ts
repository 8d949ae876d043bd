import type { Feature } from '../../../platform/feature.ts'
import { passwordResetMail } from './password-links.emails.ts'
import { forgetEndedPasswordResets } from './password-links.service.ts'

export const passwordLinks: Feature = {
  name: 'password-links',
  mails: [passwordResetMail],
  cleanUp: ({ db, clock }) => forgetEndedPasswordResets(db, clock),
}
