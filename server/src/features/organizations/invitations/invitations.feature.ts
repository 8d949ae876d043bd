import type { Feature } from '../../../platform/feature.ts'
import type { Passwords } from '../../identity/accounts/passwords.ts'
import { invitationMail } from './invitations.emails.ts'
import { invitationRoutes } from './invitations.routes.ts'

export const invitations: Feature<{ passwords: Passwords }> = {
  name: 'invitations',
  routes: ({ passwords }) => invitationRoutes(passwords),
  mails: [invitationMail],
}
