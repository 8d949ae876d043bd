import type { Feature } from '../../../platform/feature.ts'
import { invitationMail } from './invitations.emails.ts'
import { invitationRoutes } from './invitations.routes.ts'

export const invitations: Feature = { name: 'invitations', routes: () => invitationRoutes, mails: [invitationMail] }
