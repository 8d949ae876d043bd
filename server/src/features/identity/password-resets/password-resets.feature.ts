import { type Feature, job } from '../../../platform/feature.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { forgetEndedPasswordResets } from './links.service.ts'
import { passwordResetMail } from './password-resets.emails.ts'
import { passwordResetRoutes } from './password-resets.routes.ts'
import { mailPasswordReset, requestPasswordResetJob } from './password-resets.service.ts'

export const passwordResets: Feature<{ passwords: Passwords }> = {
  name: 'password-resets',
  routes: ({ passwords }) => passwordResetRoutes(passwords),
  jobs: [job(requestPasswordResetJob, (worker, { email }) => mailPasswordReset(worker, email))],
  mails: [passwordResetMail],
  cleanUp: ({ db, clock }) => forgetEndedPasswordResets(db, clock),
}
