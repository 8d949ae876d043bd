import { type Feature, job } from '../../../platform/feature.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { passwordResetRoutes } from './password-resets.routes.ts'
import { mailPasswordReset, requestPasswordResetJob } from './password-resets.service.ts'

export const passwordResets: Feature<{ passwords: Passwords }> = {
  name: 'password-resets',
  routes: ({ passwords }) => passwordResetRoutes(passwords),
  jobs: [job(requestPasswordResetJob, (worker, { email }) => mailPasswordReset(worker, email))],
}
